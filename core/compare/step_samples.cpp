// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/step_samples.h"

#include "core/analysis/steps/run_steps.h"

namespace rankscope {
namespace {

/// The first rank's reason. Ranks of a run agree on outliers; one incomplete rank makes the step incomplete.
std::string reasonOf(const RunFacts& facts, const RunStep& step) {
    for (RankPosition r{0}; r < facts.ranks.size(); ++r) {
        const RankStep* const own = facts.stepOf(step, r);
        if (own == nullptr) {
            continue;
        }
        const std::string& reason = step.complete ? own->outlier_reason : own->incomplete_reason;
        if (!reason.empty()) {
            return reason;
        }
    }
    return {};
}

}  // namespace

StepSamples sampleSteps(const RunFacts& facts) {
    StepSamples samples;
    for (RunStepPosition i{0}; i < facts.steps.size(); ++i) {
        const RunStep& step = facts.steps[i];
        if (isSteady(step)) {
            samples.steps.push_back(i);
            samples.durations_ns.push_back(step.duration_ns);
        } else {
            samples.left_out.push_back({step.index, step.duration_ns, step.complete, reasonOf(facts, step)});
        }
    }
    return samples;
}

}  // namespace rankscope
