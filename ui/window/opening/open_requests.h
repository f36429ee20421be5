// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QStringList>

#include "ui/window/opening/recent_paths.h"
#include "ui/window/session/session.h"

class QSettings;
class QWidget;

namespace rankscope::ui {

/// The user's requests to open something, by dialogs, by drops and by paths. Readable paths are added to the recent
/// entries; unreadable ones are not offered again.
class OpenRequests : public QObject {
    Q_OBJECT

  public:
    /// Dialogs are over `window`. `settings` store the recent entries, and must outlive this.
    OpenRequests(Session& session, QSettings& settings, QWidget& window);

    /// Opens paths together: traces and snapshots in the session, a session file by sessionAsked().
    void open(const QStringList& paths, OpenMode mode = OpenMode::Replace);
    /// Opens dropped paths. A second run that is dropped next to the only one is compared with it: comparisonAsked().
    void drop(const QStringList& paths, OpenMode mode);
    /// Lets the user choose trace files in a dialog, and opens them.
    void askForFiles();
    /// Lets the user choose a folder of traces in a dialog, and opens it.
    void askForFolder();
    /// Lets the user type a path, on this machine or on another (ssh://host/path), and opens it.
    void askForPath();

    /// The recent entries, newest first.
    [[nodiscard]] RecentPaths& recent() { return recent_; }
    /// Whether something was requested since the last call.
    [[nodiscard]] bool takeAsked();

  Q_SIGNALS:
    /// A session file is to be opened.
    void sessionAsked(const QString& path);
    /// These paths are to be compared with the open run.
    void comparisonAsked(const QStringList& paths);
    /// The recent entries have changed.
    void recentChanged();

  private:
    void remember(const QStringList& paths);

    Session& session_;
    QSettings& settings_;
    QWidget& window_;
    RecentPaths recent_;
    QList<QStringList> asked_;  // requested and not there yet
    bool just_asked_ = false;
};

}  // namespace rankscope::ui
