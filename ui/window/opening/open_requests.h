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

/// What the user of a window asks to be opened, by dialogs, by drops and by paths. What could be read is remembered
/// among what was opened lately; what could not is not offered again.
class OpenRequests : public QObject {
    Q_OBJECT

  public:
    /// Dialogs are over `window`. `settings` keep what was opened lately, and must outlive this.
    OpenRequests(Session& session, QSettings& settings, QWidget& window);

    /// Opens paths together: traces and snapshots in the session, the file of a session by sessionAsked().
    void open(const QStringList& paths, OpenMode mode = OpenMode::Replace);
    /// Opens what was dropped. A second run that is dropped beside the only one is compared with it: comparisonAsked().
    void drop(const QStringList& paths, OpenMode mode);
    /// Lets the user choose trace files in a dialog, and opens them.
    void askForFiles();
    /// Lets the user choose a folder of traces in a dialog, and opens it.
    void askForFolder();
    /// Lets the user type a path, of this machine or of another (ssh://host/path), and opens it.
    void askForPath();

    /// What was opened lately, newest first.
    [[nodiscard]] RecentPaths& recent() { return recent_; }
    /// Whether something was asked for since the last call.
    [[nodiscard]] bool takeAsked();

  Q_SIGNALS:
    /// The file of a session is to be opened.
    void sessionAsked(const QString& path);
    /// These paths are to be compared with the open run.
    void comparisonAsked(const QStringList& paths);
    /// Another entry is among what was opened lately.
    void recentChanged();

  private:
    void remember(const QStringList& paths);

    Session& session_;
    QSettings& settings_;
    QWidget& window_;
    RecentPaths recent_;
    QList<QStringList> asked_;  // and not there yet
    bool just_asked_ = false;
};

}  // namespace rankscope::ui
