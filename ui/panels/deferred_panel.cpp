// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/deferred_panel.h"

namespace rankscope::ui {

void DeferredPanel::outdate() {
    stale_ = !isVisible();
    if (!stale_) {
        refresh();
    }
}

void DeferredPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) {
        stale_ = false;
        refresh();
    }
}

}  // namespace rankscope::ui
