// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <map>

class QKeyEvent;
class QWidget;

namespace rankscope::ui {

class MainWindow;
class TimelineWidget;

/// The timeline that the mouse is over; nullptr where it is over none.
[[nodiscard]] TimelineWidget* timelineUnderMouse(MainWindow& window);

/// The keys that move a timeline for as long as they are held, whatever in a window has the keyboard: they go to the
/// timeline under the mouse, else to the active one. Who takes text, or has these keys for itself, keeps them, and so
/// does a box; a table finds a name by them while the mouse is over no timeline.
class HeldKeys : public QObject {
    Q_OBJECT

  public:
    explicit HeldKeys(MainWindow& window);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Held {
        QPointer<TimelineWidget> timeline;
        quint32 scan_code = 0;
    };

    /// True where a timeline has got the key that `from` would get.
    bool press(QWidget& from, QKeyEvent& key);
    bool release(QKeyEvent& key);
    void letGo();
    void handOn(const Held& to, QKeyEvent& key);

    MainWindow& window_;
    std::map<int, Held> held_;  // keys whose release a timeline waits for
    bool handing_on_ = false;
};

}  // namespace rankscope::ui
