// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/hover.h"

namespace rankscope::ui {

void Hover::moveTo(const QPointF& pointer, const Hit& hit, const TimelineModel& model, const Theme& theme) {
    pointer_ = pointer;
    if (hit.what != hit_.what || hit.count != hit_.count || hit.running != hit_.running ||
        hit.counter != hit_.counter || hit.path != hit_.path) {
        tip_ = tipFor(model, hit, theme);
    }
    hit_ = hit;
}

void Hover::forgetHit() {
    hit_ = {};
    tip_ = {};
}

void Hover::leave() {
    pointer_ = {-1, -1};
    forgetHit();
}

}  // namespace rankscope::ui
