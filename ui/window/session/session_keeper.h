// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "ui/window/session/session_document.h"

namespace rankscope::ui {

class Comparing;
class Session;
class Workspace;

/// Saves and restores the state of the window: in files that the user names, and in one that is restored at the next
/// start.
class SessionKeeper : public QObject {
    Q_OBJECT

  public:
    /// `last` is the file of the session that is restored at the start.
    SessionKeeper(Session& session, Workspace& workspace, Comparing& comparing, QString last,
                  QObject* parent = nullptr);

    /// Whether a path is a session rather than a trace.
    [[nodiscard]] static bool isSession(const QString& path);

    /// Lets the user choose a session file in a dialog over `parent`, and opens it; does nothing if cancelled.
    void askToOpen(QWidget* parent);
    /// Lets the user choose a session file in a dialog over `parent`, and saves to it, adding the ending of sessions if
    /// it is missing; does nothing if cancelled.
    void askToSave(QWidget* parent);
    /// Opens the files of a session, and restores its state. A damaged session is refused, and changes nothing.
    void open(const QString& path);
    void save(const QString& path);
    /// Opens the session of the last time; nothing if there is none. A damaged one is renamed, so that it is not
    /// overwritten.
    void openLast();
    void saveLast();
    /// Opens the session of filesMissing() again, and searches files that are not at their places in `folder`, by as
    /// much of their paths as exists below it; does nothing if none is missing.
    void locate(const QString& folder);

  Q_SIGNALS:
    /// The state of a session has been restored.
    void shown();
    /// `missing` of a session's files are not at their places; 0 once all are there, or others were opened.
    void filesMissing(int missing, int of_files);
    /// The user has saved the session as this file.
    void saved(const QString& path);
    /// Something could not be read or written.
    void failed(const rankscope::Error& error);

  private:
    /// The user's rows and marks of a run that was closed.
    struct Closed {
        std::vector<std::string> files;
        LoadPart part;  ///< which part of the files the run was
        TimelineState rows;
    };

    /// The default name of a session: that of its first run.
    [[nodiscard]] QString defaultName() const;
    [[nodiscard]] SessionDocument captured() const;
    /// Stores the user's rows and marks of a run that is about to be closed.
    void keepRows(std::size_t run);
    /// Restores them, if all of the run's files were read again.
    void putBackRows(std::size_t run);
    /// Nothing, with failed(), if it cannot be read.
    std::optional<SessionDocument> read(const QString& path);
    bool write(const QString& path);
    void restore(const SessionDocument& document);
    /// Reports missing files of the session, and keeps it for locate().
    void lookForFiles(SessionDocument document);
    void show(const SessionDocument& document);
    /// Restores selection and view, if all files of the view are there.
    void showView(const SessionDocument& document);

    Session& session_;
    Workspace& workspace_;
    Comparing& comparing_;
    QString last_;
    std::optional<SessionDocument> awaited_;     // restored as soon as its runs are open
    std::optional<SessionDocument> incomplete_;  // some of its files are not at their places
    std::deque<Closed> closed_;
};

}  // namespace rankscope::ui
