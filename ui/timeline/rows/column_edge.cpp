// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/column_edge.h"

#include <algorithm>
#include <cmath>

#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {
namespace {

constexpr int kNarrowest = 120;  // at the usual size of text
constexpr double kReach = 5;     // left of the edge: what is right of it belongs to the tracks

}  // namespace

int ColumnEdge::width(const Theme& theme, int room) const {
    const int wanted = chosen_ > 0 ? scaled(chosen_, theme) : edgeSizes(theme).side;
    if (chosen_ == 0) {
        return wanted;
    }
    const int narrowest = scaled(kNarrowest, theme);
    return std::clamp(wanted, narrowest, std::max(narrowest, room / 2));
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
    const int narrowest = scaled(kNarrowest, theme);
    const double wanted = std::clamp<double>(x + *held_, narrowest, std::max(narrowest, room / 2));
    chosen_ = std::max(1, static_cast<int>(std::lround(wanted / textScale(theme))));
    return width(theme, room) != before;
}

}  // namespace rankscope::ui
