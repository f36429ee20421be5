// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>

#include "ui/widgets/keyed_splitter.h"

namespace rankscope::ui {

/// Two parts of a panel side by side, or above one another if the panel is narrow, as at the side of the window.
class TurningSplitter : public KeyedSplitter {
    Q_OBJECT

  public:
    /// `divider`: as KeyedSplitter's.
    explicit TurningSplitter(QString divider, QWidget* parent = nullptr);

    /// Adds parts of equal size, which shrink in proportion.
    void addEqual(std::initializer_list<QWidget*> parts);

  protected:
    void resizeEvent(QResizeEvent* event) override;
};

}  // namespace rankscope::ui
