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

/// The timeline under the mouse; nullptr if there is none.
[[nodiscard]] TimelineWidget* timelineUnderMouse(MainWindow& window);

/// The keys that move a timeline while they are held, wherever the keyboard focus in a window is: they go to the
/// timeline under the mouse, else to the active one. Widgets that take text or use these keys themselves keep them, and
/// so do boxes; a table uses them to find a name while the mouse is over no timeline.
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

    /// Returns whether a timeline took the key that `from` would get.
    bool press(QWidget& from, QKeyEvent& key);
    bool release(QKeyEvent& key);
    void letGo();
    void handOn(const Held& to, QKeyEvent& key);

    MainWindow& window_;
    std::map<int, Held> held_;  // keys whose release a timeline waits for
    bool handing_on_ = false;
};

}  // namespace rankscope::ui
