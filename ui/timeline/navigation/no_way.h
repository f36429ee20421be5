// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

class RowLayout;
class TimelineModel;

// What is said where there is no way on from a selection: for people, one sentence.

/// Why nothing is linked to a selection in a direction.
[[nodiscard]] QString whyNoLink(const TimelineModel& model, const Selection& from, Direction direction);
/// Why there is no gap in a direction. Gaps are gathered for a moment after a run appears: until then it only says
/// that.
[[nodiscard]] QString whyNoGap(const TimelineModel& model, Direction direction);
/// Why there is no slice in a direction.
[[nodiscard]] QString whyNoSlice(const TimelineModel& model, const Selection& from, Direction direction);
/// Why there is no row with slices above or below that of a selection.
[[nodiscard]] QString whyNoRow(const RowLayout& layout, const Selection& from, Direction direction);

}  // namespace rankscope::ui
