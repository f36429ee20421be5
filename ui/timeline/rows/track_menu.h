// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/timeline/rows/row_menu.h"

namespace rankscope::ui {

/// What the mouse does to a track by dragging its name, as entries of a menu: move it up or down among those of its
/// list, or among the pinned ones, and make its rows higher or lower. Empty for what is no track.
[[nodiscard]] std::vector<RowMenuEntry> trackMenu(const TimelineModel& model, const RowLayout& layout,
                                                  const LayoutRow& row, const RowChoices& choices);

/// Whether `row` can be put where `other` is: both are pinned, or tracks of the same list of one rank.
[[nodiscard]] bool sameList(const TimelineModel& model, const LayoutRow& row, const LayoutRow& other);

/// The least and the greatest height of one row of slices that can be chosen, in logical pixels.
inline constexpr int kLeastRowHeight = 12;  // text no longer fits below
inline constexpr int kGreatestRowHeight = 96;

}  // namespace rankscope::ui
