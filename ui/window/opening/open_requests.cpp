// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/open_requests.h"

#include <QInputDialog>
#include <QLineEdit>
#include <algorithm>
#include <utility>

#include "core/remote/remote_path.h"
#include "ui/window/opening/companions.h"
#include "ui/window/opening/trace_dialogs.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {

OpenRequests::OpenRequests(Session& session, QSettings& settings, QWidget& window)
    : QObject(&window), session_(session), settings_(settings), window_(window), recent_(settings) {
    connect(&session, &Session::opened, this, &OpenRequests::remember);
    connect(&session, &Session::idle, this, [this] { asked_.clear(); });
}

void OpenRequests::open(const QStringList& paths, OpenMode mode) {
    if (paths.isEmpty()) {
        return;
    }
    if (paths.size() == 1 && SessionKeeper::isSession(paths.front())) {
        Q_EMIT sessionAsked(paths.front());
        return;
    }
    asked_.append(paths);
    just_asked_ = true;
    session_.open(paths, mode);
}

void OpenRequests::drop(const QStringList& paths, OpenMode mode) {
    // Files from another machine have another path once they are here.
    const bool remote =
        std::ranges::any_of(paths, [](const QString& path) { return isRemotePath(path.toStdString()); });
    if (mode == OpenMode::Beside && session_.runs().size() == 1 && !kindOfFewFiles(paths) && !remote) {
        Q_EMIT comparisonAsked(paths);
    } else {
        open(paths, mode);
    }
}

void OpenRequests::askForFiles() {
    open(askForTraceFiles(&window_, settings_, tr("Open trace files")));
}

void OpenRequests::askForFolder() {
    if (const QString folder = askForTraceFolder(&window_, settings_, tr("Open a folder of traces"));
        !folder.isEmpty()) {
        open({folder});
    }
}

void OpenRequests::askForPath() {
    bool accepted = false;
    const QString path = QInputDialog::getText(&window_, tr("Open a path"),
                                               tr("A file or folder of this machine, or ssh://host/path of another:"),
                                               QLineEdit::Normal, {}, &accepted)
                             .trimmed();
    if (accepted && !path.isEmpty()) {
        open({path});
    }
}

bool OpenRequests::takeAsked() {
    return std::exchange(just_asked_, false);
}

// Files that a session restores were not opened by the user.
void OpenRequests::remember(const QStringList& paths) {
    if (asked_.removeAll(paths) > 0) {
        recent_.add(paths);
        beginDialogsBeside(settings_, paths.value(0));
        Q_EMIT recentChanged();
    }
}

}  // namespace rankscope::ui
