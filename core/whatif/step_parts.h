// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/diagnosis/frame/rule.h"
#include "core/whatif/what_if_run.h"

namespace rankscope {

/// The parts of the priced step as replayed; without `replayed`, as recorded. They add up to `step_ns`.
///
/// They are those of the step that represents the run (the median one, or the mean over the steps that count), on the
/// device of the rank that ends it, from the end of the step before; with `in_mean` the mean. If the run's step is
/// longer or shorter than that by a little, the parts are scaled to it. Linear in the device work of these steps.
[[nodiscard]] StepParts partsOf(const RuleContext& context, const std::vector<ReplayedRank>* replayed,
                                DurationNs step_ns, bool in_mean = false);

/// The rank that ends most of the steps that count, as replayed; without `replayed`, as recorded.
[[nodiscard]] RankPosition rankThatEnds(const RuleContext& context, const std::vector<ReplayedRank>* replayed);

/// How long a CPU works per step, as replayed; without `replayed`, as recorded. The time from one step's start to the
/// next, outside waits for the device: the mean over the steps that count, of the rank with most. 0 if that is unknown.
/// In the long run no step is shorter, although a window begins with work that was launched before it. Linear in waits.
[[nodiscard]] DurationNs hostWorkPerStep(const RuleContext& context, const std::vector<ReplayedRank>* replayed);

}  // namespace rankscope
