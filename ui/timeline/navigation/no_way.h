// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

class RowLayout;
class TimelineModel;

// The texts for a navigation without a target: one sentence for people.

/// Why a selection has no link in a direction.
[[nodiscard]] QString whyNoLink(const TimelineModel& model, const Selection& from, Direction direction);
/// Why there is no gap in a direction. Gaps are collected shortly after a run appears: until then the sentence only
/// says that this is still going on.
[[nodiscard]] QString whyNoGap(const TimelineModel& model, Direction direction);
/// Why there is no slice in a direction.
[[nodiscard]] QString whyNoSlice(const TimelineModel& model, const Selection& from, Direction direction);
/// Why there is no row with slices above or below the selection.
[[nodiscard]] QString whyNoRow(const RowLayout& layout, const Selection& from, Direction direction);

}  // namespace rankscope::ui
