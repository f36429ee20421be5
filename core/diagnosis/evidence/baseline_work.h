// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/diagnosis/evidence/lateness.h"

namespace rankscope {

/// Late ranks that do no more than the others.
struct BaselineWork {
    /// What a replay changes so that the late ranks take for their device work, their DataLoader and the rest of their
    /// host time what the others take in the median of the same step, each separately and never more than they did. The
    /// others' device work is taken without the slowdown by waiting collectives: without the late ranks they wait for
    /// nobody.
    RunChange change;
    std::vector<DurationNs> relieved_ns;  ///< by how much that is: of each of the steps, the median of the others
};

/// It needs no counterpart for any kernel, and it looks at work, not at when a rank was ready: while the others wait on
/// the device, their hosts load the next batch, and that time would show if the late rank were not there.
[[nodiscard]] BaselineWork baselineWorkOn(const RuleContext& context, const std::vector<LateStep>& steps);

/// How much more late ranks had to do than the median of their peers, over whole steps: the median over the steps and
/// ranks.
struct MoreWork {
    DurationNs device_ns = 0;  ///< device work without communication, minus the slowdown by waiting collectives
    DurationNs loader_ns = 0;  ///< of the host in the DataLoader
    DurationNs host_ns = 0;    ///< of the host outside of it and of waits for the device
};
[[nodiscard]] MoreWork moreWorkIn(const RuleContext& context, const std::vector<LateStep>& steps);

/// Of the steady-state steps that are not among `steps`, in which another rank is late each time, those in which one
/// has `least_ns` or more to do that the others do not have: it is late there too, and hidden, as its host was so far
/// ahead while the device waited for the ones that are seen.
[[nodiscard]] std::vector<LateStep> hiddenLateness(const RuleContext& context, const std::vector<LateStep>& steps,
                                                   DurationNs least_ns);

}  // namespace rankscope
