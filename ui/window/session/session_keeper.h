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

/// Keeps what the user was looking at: in files that the user names, and in one that comes back at the next start.
class SessionKeeper : public QObject {
    Q_OBJECT

  public:
    /// `last` is the file of the session that comes back.
    SessionKeeper(Session& session, Workspace& workspace, Comparing& comparing, QString last,
                  QObject* parent = nullptr);

    /// Whether a path names a session rather than a trace.
    [[nodiscard]] static bool isSession(const QString& path);

    /// Lets the user choose a session file in a dialog over `parent`, and opens it; does nothing where that is
    /// cancelled.
    void askToOpen(QWidget* parent);
    /// Lets the user name a session file in a dialog over `parent`, and saves to it, with the ending of sessions added
    /// where it is missing; does nothing where that is cancelled.
    void askToSave(QWidget* parent);
    /// Opens what a session had open, and shows it as it was. A damaged one is refused, and costs nothing.
    void open(const QString& path);
    void save(const QString& path);
    /// Opens the session of the last time; nothing where there is none. A damaged one is put aside, so that it is not
    /// written over.
    void openLast();
    void saveLast();
    /// Opens the session of filesMissing() again, with files that are not where it says looked for in `folder`, by as
    /// much of their paths as there is below it; nothing happens where none is missed.
    void locate(const QString& folder);

  Q_SIGNALS:
    /// A session is shown as it was.
    void shown();
    /// `missing` of a session's files are not where it says; 0 once all are there, or others were opened.
    void filesMissing(int missing, int of_files);
    /// The user has saved the session as this file.
    void saved(const QString& path);
    /// Something could not be read or written.
    void failed(const rankscope::Error& error);

  private:
    /// What the user made of the rows of a run that was closed, and its marks.
    struct Closed {
        std::vector<std::string> files;
        LoadPart part;  ///< what of the files the run was
        TimelineState rows;
    };

    /// What a session is called if the user names it in no other way: as its first run.
    [[nodiscard]] QString defaultName() const;
    [[nodiscard]] SessionDocument captured() const;
    /// Keeps what the user made of the rows of a run that is about to be closed, and its marks.
    void keepRows(std::size_t run);
    /// Puts it back, where all of the run's files were read again.
    void putBackRows(std::size_t run);
    /// Nothing, with failed(), where it cannot be read.
    std::optional<SessionDocument> read(const QString& path);
    bool write(const QString& path);
    void restore(const SessionDocument& document);
    /// Tells of files of the session that are missing, and keeps it for locate().
    void lookForFiles(SessionDocument document);
    void show(const SessionDocument& document);
    /// What was selected and in sight, where all files are there that it was seen in.
    void showView(const SessionDocument& document);

    Session& session_;
    Workspace& workspace_;
    Comparing& comparing_;
    QString last_;
    std::optional<SessionDocument> awaited_;     // shown as soon as its runs are open
    std::optional<SessionDocument> incomplete_;  // some of its files are not where it says
    std::deque<Closed> closed_;
};

}  // namespace rankscope::ui
