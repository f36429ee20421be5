// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/steps/run_steps.h"

namespace rankscope {

/// A step that is no sample, and why.
struct LeftOutStep {
    std::int64_t index = 0;
    DurationNs duration_ns = 0;
    bool complete = true;  ///< false: records are missing; true: it took unusually long
    std::string reason;  ///< "it took 182.3 ms against a median of 126.2 ms; the first step of a window often warms up"
};

/// The samples of a run's step time: its complete, steady-state steps on the run's clock. The ranks of a step wait for
/// each other, so a step is one sample, for any number of ranks.
struct StepSamples {
    std::vector<RunStepPosition> steps;
    std::vector<DurationNs> durations_ns;  ///< in the order of `steps` and of the run
    std::vector<LeftOutStep> left_out;     ///< in the order of the run
};

/// Divides the steps of a run into samples and left-out steps. The reason comes from the first rank that has one.
/// Linear in steps, and in ranks for left-out steps.
[[nodiscard]] StepSamples sampleSteps(const RunFacts& facts);

/// The steps of one rank that are samples of its run. Finds the step that contains an instant of the device.
class SteadySpans {
  public:
    SteadySpans(const RunFacts& facts, RankPosition rank) {
        for (const RunStep& step : facts.steps) {
            const RankStep* const own = facts.stepOf(step, rank);
            if (isSteady(step) && own != nullptr) {
                steps_.push_back(own);
            }
        }
        std::ranges::sort(steps_, {}, startOf);
    }

    [[nodiscard]] const std::vector<const RankStep*>& steps() const { return steps_; }  ///< by start
    /// The number of these steps that the rank recorded.
    [[nodiscard]] std::size_t count() const { return steps_.size(); }
    /// The index in steps() for an instant on the rank's file clock. O(log n).
    [[nodiscard]] std::optional<std::size_t> find(TimeNs at_ns) const {
        const auto after = std::ranges::upper_bound(steps_, at_ns, {}, startOf);
        if (after == steps_.begin() || !(*std::prev(after))->span.contains(at_ns)) {
            return std::nullopt;
        }
        return static_cast<std::size_t>(after - steps_.begin()) - 1;
    }

  private:
    static TimeNs startOf(const RankStep* step) { return step->span.start_ns; }

    std::vector<const RankStep*> steps_;  // in RunFacts; disjoint
};

}  // namespace rankscope
