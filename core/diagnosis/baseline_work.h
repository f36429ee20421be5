// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/diagnosis/lateness.h"

namespace rankscope {

/// What a replay changes so that the late ranks of `steps` take for their device work, their DataLoader and the rest of
/// their host time what the others take in the median of the same step, each for itself and never more than they did.
///
/// It needs no counterpart for any kernel, and it looks at work, not at when a rank was ready: while the others wait on
/// the device, their hosts load the next batch, and that time would show if the late rank were not there.
[[nodiscard]] RunChange baselineWorkOn(const RuleContext& context, const std::vector<LateStep>& steps);

/// Of the steady-state steps that are not among `steps`, in which another rank is late each time, those in which one
/// has `least_ns` or more to do that the others do not have: it is late there too, and hidden, as its host was so far
/// ahead while the device waited for the ones that are seen.
[[nodiscard]] std::vector<LateStep> hiddenLateness(const RuleContext& context, const std::vector<LateStep>& steps,
                                                   DurationNs least_ns);

}  // namespace rankscope
