// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/diagnosis/step_content.h"

namespace rankscope {

/// Rare long steps that share a cause.
struct StepSpikes {
    SpikeCause cause = SpikeCause::HostPause;
    std::vector<RunStepPosition> steps;   ///< ascending; the one that opens the window only where its cause is proven
    std::vector<RunStepPosition> others;  ///< what they are long against
    std::vector<RankPosition> ranks;      ///< whose own time is longer in them
    std::optional<std::int64_t> every;    ///< each follows the one before it by so many steps; of two or more
    DurationNs length_ns = 0;             ///< their mean
    DurationNs baseline_ns = 0;           ///< the mean of the others
    DurationNs cause_ns = 0;              ///< what the cause takes more of them than of others, in the mean, on a rank
    std::int64_t bytes_to_host = 0;       ///< copied to the host in one of them, in the mean, on a rank
    double computing = 0;                 ///< the share of what is more of them in which the device computes
    bool stand_still = false;             ///< HostPause by threads that are known to stand still (HostStall)
    OnlyThere news;                       ///< of the first of `ranks`
};

/// Finds the long steps of a run that are rare, and what makes them long: at most half as many as the others, of which
/// there have to be three. Long is what findOutliers() calls so, left out of the prices or not. Steps at the opening of
/// a window, up to the first that is not long, are warm-up. Where nothing in the trace tells a cause, or the others are
/// no whole steps (gradients are accumulated in them), nothing is said of it; nor of a single step in which the host
/// pauses for less than a step (HostStall), nor where another rank each time pauses that is not known to stand still.
/// By cause.
[[nodiscard]] std::vector<StepSpikes> findStepSpikes(const RuleContext& context);

}  // namespace rankscope
