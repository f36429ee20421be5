// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/diagnosis/frame/rule.h"
#include "core/whatif/effect.h"

namespace rankscope {

/// The mean of the largest of `count` draws from a normal distribution, in standard deviations; 0 for one.
[[nodiscard]] double largestOf(std::size_t count);

/// The standard deviation of the ranks' segment times, added up over the blocking collectives of a step: those of one
/// place in the step are compared over all priced steps. It is the median difference of two ranks divided by 0.954,
/// what that is for a normal distribution: a few slow ranks do not change it. 0 if no ranks share such collectives.
[[nodiscard]] DurationNs spreadOfRanks(const RuleContext& context);

/// How much longer the slowest of `then` ranks takes for a step than the slowest of `now`, if segment times are draws
/// from one distribution with that spread. Likely: normal, because a segment is a sum of many pieces that vary by
/// themselves. The range reaches from no difference (only some ranks are ever slow, and they are there already) to an
/// exponential distribution with the same spread, whose largest draw grows like the logarithm of the count: stalls.
[[nodiscard]] AddedTime slowestOf(const RuleContext& context, std::size_t now, std::size_t then);

}  // namespace rankscope
