// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_spread.h"

#include <algorithm>
#include <utility>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"

namespace rankscope {

StepSpread stepSpread(const RunFacts& facts) {
    std::vector<DurationNs> lengths;
    for (const RunStep& step : facts.steps) {
        if (isSteady(step)) {
            lengths.push_back(step.duration_ns);
        }
    }
    StepSpread out;
    out.steps = lengths.size();
    if (lengths.empty()) {
        return out;
    }
    std::ranges::sort(lengths);
    const auto at = [&](std::size_t quarters) { return lengths[(lengths.size() - 1) * quarters / 4]; };
    out.lower_quartile_ns = at(1);
    out.median_ns = at(2);
    out.upper_quartile_ns = at(3);
    return out;
}

std::vector<DurationNs> medianLateness(const RunFacts& facts) {
    std::vector<DurationNs> medians;
    for (const RankLateness& rank : facts.stragglers.ranks) {
        std::vector<DurationNs> late;
        for (const SegmentTime& step : rank.steps) {
            if (isSteady(facts.steps[step.step])) {
                late.push_back(step.late_ns);
            }
        }
        medians.push_back(lowerMedian(std::move(late)));
    }
    return medians;
}

std::optional<RankStepPosition> typicalStep(const std::vector<RankStep>& steps) {
    constexpr std::size_t kEnoughSteps = 3;
    std::vector<std::pair<DurationNs, RankStepPosition>> steady;
    for (RankStepPosition s{0}; s < steps.size(); ++s) {
        if (steps[s].complete && !steps[s].outlier && steps[s].partition) {
            steady.emplace_back(steps[s].span.length(), s);
        }
    }
    if (steady.size() < kEnoughSteps) {
        return std::nullopt;
    }
    const auto middle = steady.begin() + static_cast<std::ptrdiff_t>((steady.size() - 1) / 2);
    std::ranges::nth_element(steady, middle);
    return middle->second;
}

}  // namespace rankscope
