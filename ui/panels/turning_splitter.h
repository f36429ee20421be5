// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

namespace rankscope::ui {

/// Two parts of a panel side by side, and above one another where the panel is narrow, as at the side of the window.
class TurningSplitter : public QSplitter {
    Q_OBJECT

  public:
    explicit TurningSplitter(QWidget* parent = nullptr);

  protected:
    void resizeEvent(QResizeEvent* event) override;
};

}  // namespace rankscope::ui
