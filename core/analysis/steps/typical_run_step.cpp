// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/typical_run_step.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "core/analysis/steps/run_steps.h"

namespace rankscope {

bool isMoreTypical(const RunFacts& facts, const RunStep& a, const RunStep& b) {
    const auto off = [&](const RunStep& step) {
        return std::tuple(!step.complete, step.outlier, std::abs(step.duration_ns - facts.pricedStep()));
    };
    return off(a) < off(b);
}

std::optional<RunStepPosition> typicalRunStep(const RunFacts& facts) {
    std::optional<RunStepPosition> typical;
    for (RunStepPosition s{0}; s < facts.steps.size(); ++s) {
        const RunStep& step = facts.steps[s];
        if (step.complete && (!typical || isMoreTypical(facts, step, facts.steps[*typical]))) {
            typical = s;
        }
    }
    return typical;
}

TimeSpan spanOnAllRanks(const RunFacts& facts, const RunClock& clock, const RunStep& step) {
    std::optional<TimeSpan> all;
    for (RankPosition rank{0}; rank < facts.ranks.size() && rank < clock.ranks.size(); ++rank) {
        if (const RankStep* const own = facts.stepOf(step, rank)) {
            const TimeSpan span = clock.ranks[rank].toRun(FileSpan(own->span));
            all = all ? TimeSpan{std::min(all->start_ns, span.start_ns), std::max(all->end_ns, span.end_ns)} : span;
        }
    }
    return all.value_or(TimeSpan());
}

}  // namespace rankscope
