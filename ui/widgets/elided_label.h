// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace rankscope::ui {

/// One line of plain text, which ends in an ellipsis if it does not fit; its tooltip then has the whole text. A tooltip
/// that is set explicitly always has priority.
class ElidedLabel : public QLabel {
    Q_OBJECT

  public:
    /// `role`: its name in the style sheet.
    explicit ElidedLabel(const char* role, QWidget* parent = nullptr);

    /// The width of a few characters: it takes what others leave.
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace rankscope::ui
