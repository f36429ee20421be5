// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/column_edge.h"

#include <algorithm>
#include <cmath>

#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {
namespace {

constexpr int kNarrowest = 120;  // at the usual size of text
constexpr double kReach = 5;     // left of the edge: the right side belongs to the tracks

/// As close to `wanted` as a legible name and half of the available width allow.
double allowed(double wanted, const Theme& theme, int room) {
    const int narrowest = scaled(kNarrowest, theme);
    return std::clamp<double>(wanted, narrowest, std::max(narrowest, room / 2));
}

}  // namespace

int ColumnEdge::width(const Theme& theme, int room) const {
    return chosen_ == 0 ? edgeSizes(theme).side : static_cast<int>(allowed(scaled(chosen_, theme), theme, room));
}

bool ColumnEdge::isAt(double x, const Theme& theme, int room) const {
    const double left = width(theme, room) - x;
    return left > 0 && left <= kReach;
}

void ColumnEdge::press(double x, const Theme& theme, int room) {
    held_ = width(theme, room) - x;
}

bool ColumnEdge::dragTo(double x, const Theme& theme, int room) {
    if (!held_) {
        return false;
    }
    const int before = width(theme, room);
    chosen_ = std::max(1, static_cast<int>(std::lround(allowed(x + *held_, theme, room) / textScale(theme))));
    return width(theme, room) != before;
}

}  // namespace rankscope::ui
