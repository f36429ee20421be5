// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <optional>

#include "ui/window/session/place_link.h"

namespace rankscope::ui {

class MainWindow;

/// Takes one picture of a window as soon as all opened runs are read, analysed and drawn, with the first finding
/// selected.
class Screenshot : public QObject {
    Q_OBJECT

  public:
    /// `path` is the PNG file. Create it before the window opens anything.
    Screenshot(MainWindow& window, QString path);

    /// Commands, by their ids, to run before the picture is taken. False if there is no such command.
    [[nodiscard]] bool before(const QStringList& commands);

    /// A text to search for before those.
    void searchFor(const QString& text) { search_ = text; }

    /// A place to show before the search, instead of the first finding.
    void at(const PlaceLink& place) { place_ = place; }

    /// Call it once the window has begun to open the given paths. Takes the picture if nothing is being opened: no path
    /// was given, or a session cannot be read or has no run. Otherwise the picture waits until opening ends.
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
