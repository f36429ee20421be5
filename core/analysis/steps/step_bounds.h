// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/device/device_work.h"
#include "core/analysis/steps/step_marks.h"

namespace rankscope {

/// Where on the host something happened, seen from n steps: slot 2i + 1 is inside mark i, slot 2i before it and after
/// mark i - 1, slot 2n after the last.
using StepSlot = std::uint32_t;

/// The slot of an instant of the host. `marks` are disjoint and sorted. O(log n).
[[nodiscard]] StepSlot slotOf(std::span<const StepMark> marks, TimeNs host_ns);

/// The bounds of the steps (design 4.2): a step starts at max(its host start, the end of the step before, the end of
/// the device work launched before it) and ends at max(its host end, the end of the device work launched in it).
/// `hosts` are the marks; `last_end` gives, for each of the 2n + 1 slots, the last end of device work launched there,
/// or DeviceEvent::kBeforeAll where there is none.
[[nodiscard]] std::vector<TimeSpan> boundSteps(std::span<const TimeSpan> hosts, std::span<const TimeNs> last_end);

}  // namespace rankscope
