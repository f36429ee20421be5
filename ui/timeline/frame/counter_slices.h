// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/hit_test.h"

namespace rankscope::ui {

/// The slice that makes the value of a counter in the pixel `x`: of those that run on the device then the longest, of
/// the launch queue the next that begins, of a run's counter the longest of all ranks. Nothing for memory, and where
/// nothing runs. O(streams x log slices); of an exposed share O(slices of the step).
[[nodiscard]] Selection sliceOfCounter(const TimelineModel& model, const Frame& frame, const HitCounter& over, int x);

}  // namespace rankscope::ui
