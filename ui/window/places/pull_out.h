// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>

class QWidget;

namespace rankscope::ui {

/// Drags a panel out of a row or a list of panels with the mouse. The drag begins when the pointer leaves the row; Esc
/// cancels it. The row forwards its mouse and keyboard events. Points are on the screens.
class PullOut : public QObject {
    Q_OBJECT

  public:
    /// `row` contains the tabs or buttons by which panels are dragged.
    explicit PullOut(QWidget& row);

    /// A mouse button was pressed on the handle of `panel`; nullptr: on nothing.
    void press(QWidget* panel);
    /// The pointer moved with the button pressed. True while a panel is dragged.
    bool move(const QPoint& at);
    /// The button was released. True if that ends a drag.
    bool release(const QPoint& at);
    /// Cancels the drag.
    void cancel();
    /// Whether a panel is dragged now.
    [[nodiscard]] bool dragging() const { return dragging_; }
    /// The panel whose handle is pressed, or nullptr.
    [[nodiscard]] QWidget* held() const { return held_; }

  Q_SIGNALS:
    /// `panel` is dragged outside the row; the pointer is there.
    void dragged(QWidget* panel, const QPoint& at);
    /// It was dropped there.
    void dropped(QWidget* panel, const QPoint& at);
    /// The drag was cancelled.
    void cancelled();

  private:
    void end();

    QWidget& row_;
    QWidget* held_ = nullptr;
    bool dragging_ = false;
};

}  // namespace rankscope::ui
