// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/facts.h"
#include "core/base/statistics.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// Pairs the steps of all ranks by their number (design 4.2). A step of the run lasts from the last rank's end of the
/// previous step to the last rank's end of this one. The first step, if the previous one was not read either, and one
/// whose number is not consecutive, last from their earliest start. Also finds outliers, and why. `kind`: the kind of a
/// server's iterations for prices; nothing: the kind with most time.
[[nodiscard]] std::vector<RunStep> pairSteps(const std::vector<MeasuredRank>& ranks, const RunClock& clock,
                                             std::optional<IterationKind> kind = {});

/// How long the steps of a run would take if the steps of its ranks were `spans` (by rank, as RankFacts::steps, on each
/// rank's file clock; ranks without any are left out).
[[nodiscard]] std::vector<DurationNs> stepDurations(const std::vector<RunStep>& steps,
                                                    const std::vector<std::vector<TimeSpan>>& spans,
                                                    const RunClock& clock);

/// Whether a step of the run counts for medians and prices.
[[nodiscard]] inline bool isSteady(const RunStep& step) {
    return step.complete && !step.outlier;
}

/// The priced steps of the run: the steady-state ones that follow another, since the first of a window may begin
/// anywhere; all steady-state ones if fewer than three follow.
[[nodiscard]] std::vector<const RunStep*> pricedSteps(const std::vector<RunStep>& steps);

/// The value that represents `values`, one per step: their median or their mean, according to the run's basis. 0 if
/// empty.
[[nodiscard]] inline DurationNs typicalOf(StepBasis basis, std::vector<DurationNs> values) {
    return basis == StepBasis::Mean ? meanOf(values) : lowerMedian(std::move(values));
}

/// The part of the run's window that the steps picked by `counts` represent.
template <class Counts>
[[nodiscard]] Coverage coverageOf(const RunFacts& facts, const Counts& counts) {
    Coverage coverage{.steps = 0, .of_steps = facts.steps.size(), .time_ns = 0, .of_time_ns = facts.recorded_ns};
    for (const RunStep& step : facts.steps) {
        if (counts(step)) {
            ++coverage.steps;
            coverage.time_ns += step.duration_ns;
        }
    }
    return coverage;
}

/// RunFacts::recorded_ns.
[[nodiscard]] DurationNs recordedTime(const std::vector<MeasuredRank>& ranks, const std::vector<RunStep>& steps,
                                      const RunClock& clock);

/// Mean if complete steps that findOutliers() calls long count, because there are too many to leave out; also with
/// fewer than eight steady-state steps that differ by more than 5 %: the median of a few is one of them. Else Median.
[[nodiscard]] StepBasis basisOf(const std::vector<RunStep>& steps);

/// Long steps are left out of prices only if they are at most this share of the complete steps and of their time: a
/// problem that occurs more often is a main problem of the run. The step that opens the window is left out separately.
inline constexpr double kMostLeftOut = 0.10;

}  // namespace rankscope
