// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/deferred_panel.h"

namespace rankscope::ui {

void DeferredPanel::outdate() {
    stale_ = !isVisible();
    if (!stale_) {
        refresh();
    }
}

void DeferredPanel::fillLater() {
    if (fills_later_) {
        return;
    }
    fills_later_ = true;
    const auto go_on = [this] {
        fills_later_ = false;
        if (isVisible()) {
            fillOn();
        } else {
            outdate();
        }
    };
    QMetaObject::invokeMethod(this, go_on, Qt::QueuedConnection);
}

void DeferredPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) {
        stale_ = false;
        refresh();
    }
}

}  // namespace rankscope::ui
