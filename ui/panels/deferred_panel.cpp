// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/deferred_panel.h"

namespace rankscope::ui {

void DeferredPanel::refill() {
    stale_ = !isVisible();
    if (!stale_) {
        fill();
    }
}

void DeferredPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) {
        stale_ = false;
        fill();
    }
}

}  // namespace rankscope::ui
