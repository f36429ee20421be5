// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/timeline/rows/row_menu.h"

namespace rankscope::ui {

/// What dragging a track's name does, as entries of a menu: move it up or down in its list, or among the pinned ones,
/// and make its rows higher or lower. Empty for rows that are not tracks.
[[nodiscard]] std::vector<RowMenuEntry> trackMenu(const TimelineModel& model, const RowLayout& layout,
                                                  const LayoutRow& row, const RowChoices& choices);

/// Whether `row` can be moved to the place of `other`: both are pinned, or tracks of the same list of one rank.
[[nodiscard]] bool sameList(const TimelineModel& model, const LayoutRow& row, const LayoutRow& other);

/// The smallest and the largest height of one row of slices that can be chosen, in logical pixels.
inline constexpr int kLeastRowHeight = 12;  // below this, text no longer fits
inline constexpr int kGreatestRowHeight = 96;

}  // namespace rankscope::ui
