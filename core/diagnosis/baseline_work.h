// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/diagnosis/lateness.h"

namespace rankscope {

/// Late ranks that do no more than the others.
struct BaselineWork {
    /// What a replay changes so that the late ranks take for their device work, their DataLoader and the rest of their
    /// host time what the others take in the median of the same step, each for itself and never more than they did;
    /// and so that the work of the others is not slowed down by collectives that wait for the late ranks beside it.
    RunChange change;
    /// By how much device work of the others is shorter then: of each of the steps, the median.
    std::vector<DurationNs> relieved_ns;
    double slowdown = 1.0;  ///< how many times as long work takes beside a collective that waits
};

/// It needs no counterpart for any kernel, and it looks at work, not at when a rank was ready: while the others wait on
/// the device, their hosts load the next batch, and that time would show if the late rank were not there.
[[nodiscard]] BaselineWork baselineWorkOn(const RuleContext& context, const std::vector<LateStep>& steps);

/// Of the steady-state steps that are not among `steps`, in which another rank is late each time, those in which one
/// has `least_ns` or more to do that the others do not have: it is late there too, and hidden, as its host was so far
/// ahead while the device waited for the ones that are seen.
[[nodiscard]] std::vector<LateStep> hiddenLateness(const RuleContext& context, const std::vector<LateStep>& steps,
                                                   DurationNs least_ns);

}  // namespace rankscope
