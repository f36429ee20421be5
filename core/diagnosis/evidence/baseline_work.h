// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/diagnosis/evidence/lateness.h"

namespace rankscope {

/// Simulates late ranks without the extra work that makes them late.
struct BaselineWork {
    /// What a replay changes: the late ranks' device work, DataLoader time and other host time each take the median of
    /// the other ranks in the same step, and never more than recorded. The others' device work is taken without the
    /// slowdown by waiting collectives: without the late ranks nobody waits.
    RunChange change;
    std::vector<DurationNs> relieved_ns;  ///< the lateness that this removes: of each step, the median over the others
};

/// No kernel needs a counterpart. It compares work, not the times at which ranks were ready: while the others' GPUs
/// wait, their CPUs load the next batch, and that time would show if the late rank were not there.
[[nodiscard]] BaselineWork baselineWorkOn(const RuleContext& context, const std::vector<LateStep>& steps);

/// How much more work late ranks had than the median of their peers, over whole steps: the median over steps and ranks.
struct MoreWork {
    DurationNs device_ns = 0;  ///< device work without communication, minus the slowdown by waiting collectives
    DurationNs loader_ns = 0;  ///< CPU time in the DataLoader
    DurationNs host_ns = 0;    ///< CPU time outside the DataLoader and outside waits for the GPU
};
[[nodiscard]] MoreWork moreWorkIn(const RuleContext& context, const std::vector<LateStep>& steps);

/// Whether the CPUs of late ranks take longer for whatever they do: most of the time of operators is in names that take
/// at least 1.1 times as long there, by the median of their calls without what they call, as on the peers that are not
/// late. If they are late in no more than half of the judged steps, only calls in these count. `late` is not empty, and
/// has the same ranks in each step. Linear in the slices of host threads of these ranks and of up to 16 peers.
[[nodiscard]] bool haveSlowCpus(const RuleContext& context, const std::vector<LateStep>& late);

/// The late ranks, and then those of their peers whose CPUs are slow in the same way: they are next to be late. Only
/// the late ones if that would be half of the peers or more. Otherwise as haveSlowCpus(), but linear in all peers.
[[nodiscard]] std::vector<RankPosition> withOtherSlowCpus(const RuleContext& context,
                                                          const std::vector<LateStep>& late);

/// Steady-state steps outside `steps` in which another rank arrives last, but one of `ranks` has at least `least_ns`
/// more work than the others. It is late there too, but hidden: its CPU was so far ahead while its GPU waited for the
/// rank that is seen to be late.
[[nodiscard]] std::vector<LateStep> hiddenLateness(const RuleContext& context, const std::vector<LateStep>& steps,
                                                   DurationNs least_ns);

}  // namespace rankscope
