// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screenshot.h"

#include <QAction>
#include <QBuffer>
#include <QCoreApplication>
#include <QEvent>
#include <QPixmap>
#include <algorithm>
#include <utility>

#include "core/base/write_file.h"
#include "ui/commands/command_registry.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/search/search.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/main_window.h"
#include "ui/window/opening/loading_model.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/selection_flow.h"
#include "ui/window/session/place_link.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {

Screenshot::Screenshot(MainWindow& window, QString path) : window_(window), path_(std::move(path)) {
    // Queued: all other listeners must have handled the end first.
    connect(&window.session(), &Session::idle, this, &Screenshot::prepare, Qt::QueuedConnection);
}

void Screenshot::takeUnlessOpening() {
    if (!window_.session().loader().busy()) {
        QMetaObject::invokeMethod(this, &Screenshot::take, Qt::QueuedConnection);
    }
}

bool Screenshot::before(const QStringList& commands) {
    commands_ = commands;
    return std::ranges::all_of(commands,
                               [this](const QString& id) { return window_.commands().action(id) != nullptr; });
}

void Screenshot::prepare() {
    if (window_.session().runs().empty()) {
        take();
        return;
    }
    if (window_.comparing().active() || place_) {
        take();
        return;
    }
    Workspace& workspace = window_.workspace();
    workspace.flow().stepFinding(1);
    if (workspace.timeline().selection().index() == 0) {
        take();
        return;
    }
    // The finding's evidence is selected; its arguments are being read from the file.
    connect(&workspace.details(), &DetailsPanel::argsShown, this, &Screenshot::take, Qt::SingleShotConnection);
}

/// Waits for the results of background threads.
void Screenshot::settle() {
    // If a timeline were still moving because of one command, the next command would find it at the wrong place.
    for (TimelineWidget* timeline : window_.active().timelines()) {
        timeline->settle();
    }
    while (window_.workspace().busy() || window_.compareView().busy()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

void Screenshot::take() {
    settle();
    if (place_) {
        showPlace(*place_, window_.workspace());
        settle();
    }
    if (!search_.isEmpty()) {
        window_.active().search().searchFor(search_);
        settle();
    }
    for (const QString& id : commands_) {
        window_.commands().action(id)->trigger();
        settle();
    }
    // Otherwise a widget that has just been hidden or shown would have its old size in the picture. A card that becomes
    // narrower becomes higher, which moves those below it: that takes some rounds.
    constexpr int kRounds = 8;
    for (int round = 0; round < kRounds; ++round) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        for (TimelineWidget* timeline : window_.active().timelines()) {
            timeline->settle();
        }
        QCoreApplication::processEvents();  // and its consequences: a timeline that follows another one
    }
    QByteArray bytes;
    QBuffer png(&bytes);
    png.open(QIODevice::WriteOnly);
    const bool drawn = window_.grab().save(&png, "PNG");
    const std::optional<Error> error =
        writeFileAtomically(path_.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    const bool written = drawn && !error;
    const bool failures = window_.loadingStrip().model().count(FileState::Failed) > 0;
    const bool nothing = failures && window_.session().runs().empty();
    Q_EMIT done(!written || nothing ? 3 : (failures ? 4 : 0));
}

}  // namespace rankscope::ui
