// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/step_alignment.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/analysis/steps/run_steps.h"

namespace rankscope {
namespace {

TimeSpan spanOf(const AnalysedRun& run, const RunStep& step) {
    std::optional<TimeSpan> out;
    for (RankPosition r{0}; r < step.by_rank.size(); ++r) {
        const RankStep* const own = run.facts.stepOf(step, r);
        if (own == nullptr) {
            continue;
        }
        const TimeSpan span = run.clock.ranks[r].toRun(FileSpan(own->span));
        out = out ? TimeSpan{std::min(out->start_ns, span.start_ns), std::max(out->end_ns, span.end_ns)} : span;
    }
    const TimeNs base = run.clock.base_ns;
    return out ? TimeSpan{out->start_ns - base, out->end_ns - base} : TimeSpan();
}

/// B's step for a step of A, found through the first rank that both have.
std::optional<RunStepPosition> partnerOf(const RunStep& step_a, const AnalysedRun& b,
                                         const Counterparts& counterparts) {
    for (RankPosition rank{0}; rank < step_a.by_rank.size(); ++rank) {
        const std::optional<RankPosition> rank_b = counterparts.rankOf(rank);
        const std::optional<RankStepPosition> own = step_a.of(rank);
        if (!own || !rank_b) {
            continue;
        }
        const std::optional<RankStepPosition> of_rank = counterparts.stepOf(rank, *own);
        const auto at = std::ranges::find_if(
            b.facts.steps, [&](const RunStep& step) { return of_rank && step.of(*rank_b) == of_rank; });
        return at == b.facts.steps.end() ? std::nullopt : std::optional(RunStepPosition(at - b.facts.steps.begin()));
    }
    return std::nullopt;
}

/// The starts of the steps of A and of B, and the ends of the last ones.
std::vector<StepAlignment::Knot> startsOf(const std::vector<StepPair>& pairs) {
    std::vector<StepAlignment::Knot> knots;
    for (const StepPair& pair : pairs) {
        knots.push_back({pair.a_span.start_ns, pair.b_span.start_ns});
    }
    if (!pairs.empty()) {
        knots.push_back({pairs.back().a_span.end_ns, pairs.back().b_span.end_ns});
    }
    return knots;
}

template <class Knot>
TimeNs carried(const std::vector<Knot>& knots, TimeNs at_ns, TimeNs Knot::*from, TimeNs Knot::*to) {
    if (knots.empty()) {
        return at_ns;
    }
    const auto after = std::ranges::upper_bound(knots, at_ns, {}, from);
    if (after == knots.begin()) {
        return knots.front().*to + (at_ns - knots.front().*from);
    }
    const Knot& before = *std::prev(after);
    const TimeNs gone = at_ns - before.*from;
    if (after == knots.end()) {
        return before.*to + gone;
    }
    const double share = static_cast<double>(gone) / static_cast<double>((*after).*from - before.*from);
    return before.*to + std::llround(share * static_cast<double>((*after).*to - before.*to));
}

}  // namespace

std::vector<StepPair> pairRunSteps(const AnalysedRun& a, const AnalysedRun& b, const Counterparts& counterparts) {
    std::vector<StepPair> pairs;
    for (RunStepPosition i{0}; i < a.facts.steps.size(); ++i) {
        if (const auto j = partnerOf(a.facts.steps[i], b, counterparts)) {
            pairs.push_back({i, *j, spanOf(a, a.facts.steps[i]), spanOf(b, b.facts.steps[*j])});
        }
    }
    return pairs;
}

std::optional<std::size_t> typicalPair(const AnalysedRun& a, const AnalysedRun& b, const std::vector<StepPair>& pairs) {
    std::optional<std::size_t> best;
    const auto distance = [&](std::size_t i) {
        return std::abs(a.facts.steps[pairs[i].a].duration_ns - a.facts.median_step_ns);
    };
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const bool steady = isSteady(a.facts.steps[pairs[i].a]) && isSteady(b.facts.steps[pairs[i].b]);
        const bool last = best && i + 1 == pairs.size();
        if (steady && !last && (!best || distance(i) < distance(*best))) {
            best = i;
        }
    }
    return best || pairs.empty() ? best : std::optional<std::size_t>(0);
}

StepAlignment::StepAlignment(const std::vector<StepPair>& pairs) : StepAlignment(startsOf(pairs)) {}

StepAlignment::StepAlignment(const std::vector<Knot>& knots) {
    for (const Knot& knot : knots) {
        if (steps_.empty() || (knot.a_ns > steps_.back().a_ns && knot.b_ns > steps_.back().b_ns)) {
            steps_.push_back(knot);
        }
    }
    knots_ = steps_;
}

void StepAlignment::pin(TimeNs a_ns, TimeNs b_ns) {
    knots_.clear();
    bool placed = false;
    for (const Knot& knot : steps_) {
        if (!placed && knot.a_ns > a_ns) {
            knots_.push_back({a_ns, b_ns});
            placed = true;
        }
        if ((knot.a_ns < a_ns && knot.b_ns < b_ns) || (knot.a_ns > a_ns && knot.b_ns > b_ns)) {
            knots_.push_back(knot);
        }
    }
    if (!placed) {
        knots_.push_back({a_ns, b_ns});
    }
}

void StepAlignment::unpin() {
    knots_ = steps_;
}

TimeNs StepAlignment::toB(TimeNs a_ns) const {
    return carried(knots_, a_ns, &Knot::a_ns, &Knot::b_ns);
}

TimeNs StepAlignment::toA(TimeNs b_ns) const {
    return carried(knots_, b_ns, &Knot::b_ns, &Knot::a_ns);
}

}  // namespace rankscope
