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
    std::vector<RunStepPosition> steps;   ///< ascending; the step that opens the window only if its cause is proven
    std::vector<RunStepPosition> others;  ///< the steps they are compared with
    std::vector<RankPosition> ranks;      ///< whose own time is longer in them
    std::optional<std::int64_t> every;    ///< if there are two or more: each follows the previous one by this many
                                          ///< steps
    DurationNs length_ns = 0;             ///< their mean length
    DurationNs baseline_ns = 0;           ///< the mean length of the others
    DurationNs cause_ns = 0;              ///< how much more time the cause takes in them than in the others: the mean,
                                          ///< per rank
    std::int64_t bytes_to_host = 0;       ///< copied to the host in one of them: the mean, per rank
    double computing = 0;                 ///< the share of their extra time in which the device computes
    bool stand_still = false;             ///< HostPause by threads that are known to stall (HostStall)
    OnlyThere news;                       ///< names that only they have, on the first of `ranks`
};

/// Finds rare long steps and what makes them long, by cause. A step is long if findOutliers() says so, whether or not
/// it is left out of the prices. There must be at least three other steps, and at least twice as many others as long
/// ones. Steps at the start of a window, up to the first that is not long, are warm-up. Not reported:
/// - steps whose cause the trace does not show;
/// - all, if the other steps are not whole steps (they accumulate gradients);
/// - a single step in which the CPU pauses for less than a step (HostStall);
/// - pauses on a different rank each time, of threads that are not known to stall.
[[nodiscard]] std::vector<StepSpikes> findStepSpikes(const RuleContext& context);

/// Whether a Python function of this name collects garbage: "<built-in function collect>", "gc.py(12): collect".
[[nodiscard]] bool isCollection(std::string_view function);

}  // namespace rankscope
