// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/diagnosis/evidence/step_content.h"

namespace rankscope {

/// Rare long steps that share a cause.
struct StepSpikes {
    SpikeCause cause = SpikeCause::HostPause;
    std::vector<RunStepPosition> steps;   ///< ascending; the one that opens the window only where its cause is proven
    std::vector<RunStepPosition> others;  ///< what they are long against
    std::vector<RankPosition> ranks;      ///< whose own time is longer in them
    std::optional<std::int64_t> every;    ///< each follows the one before it by this many steps; of two or more
    DurationNs length_ns = 0;             ///< their mean
    DurationNs baseline_ns = 0;           ///< the mean of the others
    DurationNs cause_ns = 0;              ///< what the cause takes more of them than of others, in the mean, on a rank
    std::int64_t bytes_to_host = 0;       ///< copied to the host in one of them, in the mean, on a rank
    double computing = 0;                 ///< the share of what is more of them in which the device computes
    bool stand_still = false;             ///< HostPause by threads that are known to stall (HostStall)
    OnlyThere news;                       ///< of the first of `ranks`
};

/// Finds rare long steps and what makes them long, by cause. A step is long if findOutliers() says so, whether or not
/// it is left out of the prices. The other steps must be at least three, and at least twice as many. Steps at the
/// opening of a window, up to the first that is not long, are warm-up. Not reported:
/// - steps whose cause the trace does not show;
/// - all, if the other steps are no whole steps (gradients are accumulated in them);
/// - a single step in which the CPU pauses for less than a step (HostStall);
/// - pauses on a different rank each time, of threads that are not known to stall.
[[nodiscard]] std::vector<StepSpikes> findStepSpikes(const RuleContext& context);

}  // namespace rankscope
