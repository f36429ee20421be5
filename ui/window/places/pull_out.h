// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>

class QWidget;

namespace rankscope::ui {

/// Pulls a panel out of a row or a list of panels with the mouse. The drag begins where the pointer leaves the row;
/// Esc gives it up. The row hands on what it hears of mouse and keyboard. Points are of the screens.
class PullOut : public QObject {
    Q_OBJECT

  public:
    /// `row` has the tabs or buttons that panels are pulled out by.
    explicit PullOut(QWidget& row);

    /// The button went down on the handle of `panel`; nullptr: on nothing.
    void press(QWidget* panel);
    /// The pointer moved with the button down. True while a panel is dragged.
    bool move(const QPoint& at);
    /// The button was let go. True where that ends a drag.
    bool release(const QPoint& at);
    /// Gives the drag up.
    void cancel();
    /// Whether a panel is dragged now.
    [[nodiscard]] bool dragging() const { return dragging_; }
    /// The panel that the button is held on, or nullptr.
    [[nodiscard]] QWidget* held() const { return held_; }

  Q_SIGNALS:
    /// `panel` is dragged outside the row; the pointer is there.
    void dragged(QWidget* panel, const QPoint& at);
    /// It was let go there.
    void dropped(QWidget* panel, const QPoint& at);
    /// The drag was given up.
    void cancelled();

  private:
    void end();

    QWidget& row_;
    QWidget* held_ = nullptr;
    bool dragging_ = false;
};

}  // namespace rankscope::ui
