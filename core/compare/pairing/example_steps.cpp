// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/example_steps.h"

#include <algorithm>

namespace rankscope {
namespace {

bool isBaseline(const RankStep& step) {
    return step.complete && !step.outlier;
}

template <class Predicate>
std::vector<RankStepPosition> steadySteps(const std::vector<RankStep>& steps, const Predicate& also) {
    std::vector<RankStepPosition> found;
    for (RankStepPosition s{0}; s < steps.size(); ++s) {
        if (isBaseline(steps[s]) && also(s)) {
            found.push_back(s);
        }
    }
    return found;
}

}  // namespace

ExampleSteps::ExampleSteps(const AnalysedRun& run, const AnalysedRun& other, const Counterparts& to_other) {
    for (RankPosition r{0}; r < run.facts.ranks.size(); ++r) {
        const std::vector<RankStep>& steps = run.facts.ranks[r].steps;
        steps_.push_back(steadySteps(steps, [&](RankStepPosition step) {
            const auto rank = to_other.rankOf(r);
            const auto partner = to_other.stepOf(r, step);
            return rank && partner && isBaseline(other.facts.ranks[*rank].steps[*partner]);
        }));
        if (steps_.back().empty()) {
            steps_.back() = steadySteps(steps, [](RankStepPosition) { return true; });
        }
    }
}

bool ExampleSteps::hold(const RankFacts& facts, RankPosition rank, TimeNs at_ns) const {
    const auto start = [&](RankStepPosition step) { return facts.steps[step].span.start_ns; };
    const auto after = std::ranges::upper_bound(steps_[rank], at_ns, {}, start);
    return after != steps_[rank].begin() && facts.steps[*std::prev(after)].span.contains(at_ns);
}

}  // namespace rankscope
