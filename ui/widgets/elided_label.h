// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace rankscope::ui {

/// One line of plain text, which ends in an ellipsis where it has no room, and is whole in its tooltip then. One that
/// is given a tooltip has that in any case.
class ElidedLabel : public QLabel {
    Q_OBJECT

  public:
    /// `role`: what the style sheet calls it.
    explicit ElidedLabel(const char* role, QWidget* parent = nullptr);

    /// As little as a few characters need: it takes what others leave.
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace rankscope::ui
