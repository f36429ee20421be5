// SPDX-License-Identifier: GPL-3.0-or-later
// What of the selection can be put on the clipboard.
#include "ui/timeline/timeline_impl.h"
#include "ui/timeline/tooltip.h"

namespace rankscope::ui {

QStringList TimelineWidget::selectionWords() const {
    const TimelineModel& model = impl_->scene.model();
    const Selection& chosen = selection();
    if (std::holds_alternative<std::monostate>(chosen) || !model.holds(chosen)) {
        return {};
    }
    Hit hit;
    hit.what = chosen;
    hit.count = 1;
    const Tip tip = tipFor(model, hit, impl_->scene.theme());
    QStringList words{tip.title};
    for (const Tip::Line& line : tip.lines) {
        words << line.label + QStringLiteral(": ") + line.value;
    }
    return words;
}

TimeSpan TimelineWidget::markedSpan() const {
    return impl_->area ? impl_->area->span() : spanOf(selection());
}

}  // namespace rankscope::ui
