// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/analysis/device/device_work.h"
#include "core/analysis/steps/step_marks.h"
#include "core/analysis/steps/step_or_gap.h"

namespace rankscope {

/// The slot of a host instant. `marks` are disjoint and sorted. O(log n).
[[nodiscard]] StepOrGap slotOf(std::span<const StepMark> marks, TimeNs host_ns);

/// The bounds of the steps (design 4.2): a step starts at max(its host start, the end of the previous step, the end of
/// the device work launched before it) and ends at max(its host end, the end of the device work launched in it).
/// `hosts` are the marks; `last_end` has, for each slot among them, the last end of device work launched there, or
/// DeviceEvent::kBeforeAll if there is none. `earlier_ns` is the last end of device work that was launched before the
/// first mark and is not included there: of steps that were not read.
[[nodiscard]] std::vector<TimeSpan> boundSteps(std::span<const TimeSpan> hosts, const SlotTimes& last_end,
                                               TimeNs earlier_ns = DeviceEvent::kBeforeAll);

}  // namespace rankscope
