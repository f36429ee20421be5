// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <optional>

#include "ui/window/session/place_link.h"

namespace rankscope::ui {

class MainWindow;

/// Takes one picture of a window as soon as everything that it opened is read, analysed and drawn, with the first
/// finding selected.
class Screenshot : public QObject {
    Q_OBJECT

  public:
    /// `path` is where the PNG goes. Make it before the window opens anything.
    Screenshot(MainWindow& window, QString path);

    /// Commands, by their ids, that are done before the picture is taken. False where there is no such command.
    [[nodiscard]] bool before(const QStringList& commands);

    /// What is searched for before those.
    void searchFor(const QString& text) { search_ = text; }

    /// What is shown before the search, in place of the first finding.
    void at(const PlaceLink& place) { place_ = place; }

    /// Call it once the window has begun to open what was named. Takes the picture if nothing is being opened: nothing
    /// was named, or a session cannot be read or has no run. Otherwise the picture waits until opening ends.
    void takeUnlessOpening();

  Q_SIGNALS:
    /// The exit code of the program: 0 done; 3 nothing could be read, or the picture could not be written; 4 done, but
    /// some files could not be read.
    void done(int exit_code);

  private:
    void prepare();
    void take();
    void settle();

    MainWindow& window_;
    QString path_;
    QStringList commands_;
    QString search_;
    std::optional<PlaceLink> place_;
};

}  // namespace rankscope::ui
