// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QEvent>
#include <QWidget>

namespace rankscope::bench {

/// A window as a user has it, up to the memory that the screen is filled from: what has to be painted again is what Qt
/// finds has changed.
class ShownWindow {
  public:
    explicit ShownWindow(const QSize& size) { window_.resize(size); }

    /// What shall be in it, to be made its child.
    [[nodiscard]] QWidget* widget() { return &window_; }
    void show() {
        window_.show();
        QApplication::processEvents();
    }
    /// Paints what has changed, as the next tick of the screen would.
    void paintChanges() {
        QEvent tick(QEvent::UpdateRequest);
        QApplication::sendEvent(&window_, &tick);
    }

  private:
    QWidget window_;
};

}  // namespace rankscope::bench
