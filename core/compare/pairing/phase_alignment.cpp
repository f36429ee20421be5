// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/phase_alignment.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "core/compare/pairing/align_names.h"

namespace rankscope {
namespace {

constexpr std::array<Phase, 3> kExpected = {Phase::Forward, Phase::Backward, Phase::Optimizer};
constexpr std::size_t kMostEdits = 200;  // gradient accumulation makes about a dozen stretches

/// The phase stretches of the ranks of one run.
class SpansOfRun {
  public:
    explicit SpansOfRun(const AnalysedRun& run) : run_(run) {}

    [[nodiscard]] const std::vector<PhaseSpan>& of(RankPosition rank, RankStepPosition step) const {
        static const std::vector<PhaseSpan> none;
        const auto& spans = run_.facts.ranks[rank].phases.spans;
        return step < spans.size() ? spans[step] : none;
    }
    [[nodiscard]] TimeSpan onAxis(RankPosition rank, const TimeSpan& span) const {
        const TimeSpan on_run = run_.clock.ranks[rank].toRun(FileSpan(span));
        return {on_run.start_ns - run_.clock.base_ns, on_run.end_ns - run_.clock.base_ns};
    }

  private:
    const AnalysedRun& run_;
};

struct RankPairOfStep {
    RankPosition a;
    RankPosition b;
    RankStepPosition step_a;
    RankStepPosition step_b;
};

/// The first rank that recorded the step in both runs.
std::optional<RankPairOfStep> rankOf(const AnalysedRun& a, const AnalysedRun& b, const StepPair& step,
                                     const Counterparts& counterparts) {
    const RunStep& step_a = a.facts.steps[step.a];
    const RunStep& step_b = b.facts.steps[step.b];
    for (RankPosition rank{0}; rank < step_a.by_rank.size(); ++rank) {
        const std::optional<RankPosition> other = counterparts.rankOf(rank);
        const std::optional<RankStepPosition> own_a = step_a.of(rank);
        const std::optional<RankStepPosition> own_b = other ? step_b.of(*other) : std::nullopt;
        if (own_a && own_b) {
            return RankPairOfStep{rank, *other, *own_a, *own_b};
        }
    }
    return std::nullopt;
}

std::vector<std::uint32_t> namesOf(const std::vector<PhaseSpan>& spans) {
    std::vector<std::uint32_t> names;
    for (const PhaseSpan& span : spans) {
        names.push_back(static_cast<std::uint32_t>(span.phase));
    }
    return names;
}

std::vector<Phase> missingIn(const std::vector<PhaseSpan>& spans) {
    std::vector<Phase> missing;
    for (const Phase phase : kExpected) {
        if (std::ranges::find(spans, phase, &PhaseSpan::phase) == spans.end()) {
            missing.push_back(phase);
        }
    }
    return missing;
}

/// A time of A and the corresponding time of B.
using Knot = StepAlignment::Knot;

/// The ends of phases between the start of a step and that of the next. Ranks are at different places of a step, so a
/// phase of one rank may reach into the run's next step.
void addPhases(const StepPhases& phases, const Knot& start, const Knot& next, std::vector<Knot>& knots) {
    const auto add = [&](TimeNs a_ns, TimeNs b_ns) {
        const Knot& last = knots.empty() ? start : knots.back();
        if (a_ns > last.a_ns && b_ns > last.b_ns && a_ns < next.a_ns && b_ns < next.b_ns) {
            knots.push_back({a_ns, b_ns});
        }
    };
    for (const PhasePair& pair : phases.pairs) {
        add(pair.a_span.start_ns, pair.b_span.start_ns);
        add(pair.a_span.end_ns, pair.b_span.end_ns);
    }
}

}  // namespace

std::vector<StepPhases> pairPhases(const AnalysedRun& a, const AnalysedRun& b, const std::vector<StepPair>& steps,
                                   const Counterparts& counterparts) {
    const SpansOfRun of_a(a);
    const SpansOfRun of_b(b);
    std::vector<StepPhases> out(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto rank = rankOf(a, b, steps[i], counterparts);
        if (!rank) {
            continue;
        }
        const auto& spans_a = of_a.of(rank->a, rank->step_a);
        const auto& spans_b = of_b.of(rank->b, rank->step_b);
        const std::vector<std::uint32_t> partners = alignNames(namesOf(spans_a), namesOf(spans_b), kMostEdits);
        for (std::size_t p = 0; p < spans_a.size(); ++p) {
            if (partners[p] != kNoPartner) {
                out[i].pairs.push_back({spans_a[p].phase, of_a.onAxis(rank->a, spans_a[p].span),
                                        of_b.onAxis(rank->b, spans_b[partners[p]].span)});
            }
        }
        out[i].missing_in_a = missingIn(spans_a);
        out[i].missing_in_b = missingIn(spans_b);
    }
    return out;
}

StepAlignment alignByPhase(const std::vector<StepPair>& steps, const std::vector<StepPhases>& phases) {
    constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();
    std::vector<Knot> knots;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Knot start{steps[i].a_span.start_ns, steps[i].b_span.start_ns};
        const Knot end{steps[i].a_span.end_ns, steps[i].b_span.end_ns};
        const bool last = i + 1 == steps.size();
        knots.push_back(start);
        addPhases(phases[i], start,
                  last ? Knot{kNever, kNever} : Knot{steps[i + 1].a_span.start_ns, steps[i + 1].b_span.start_ns},
                  knots);
        if (last) {
            knots.push_back(end);
        }
    }
    return StepAlignment(knots);
}

}  // namespace rankscope
