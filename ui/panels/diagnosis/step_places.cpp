// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/step_places.h"

#include <algorithm>

#include "core/analysis/gaps/host_names.h"
#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/typical_run_step.h"

namespace rankscope::ui {
namespace {

TimeSpan unitedSpan(const std::optional<TimeSpan>& all, const TimeSpan& one) {
    return all ? TimeSpan{std::min(all->start_ns, one.start_ns), std::max(all->end_ns, one.end_ns)} : one;
}

/// From the first to the last range of a phase on the host that begins in a step, recognised by their names.
std::optional<TimeSpan> onHost(const RankTrace& rank, const RankStep& step, Phase phase) {
    const HostNames names(rank);
    std::optional<TimeSpan> all;
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        const SliceTable& slices = rank.tracks[t].slices;
        const auto first = std::ranges::lower_bound(slices.start_ns, step.host.start_ns);
        for (auto i = static_cast<SliceIndex>(first - slices.start_ns.begin());
             rank.tracks[t].kind == TrackKind::CpuThread && i < slices.size() && slices.start_ns[i] < step.host.end_ns;
             ++i) {
            const SliceRef slice{TrackId(t), i};
            const bool loads =
                phase == Phase::Data && names.kind(slices.name[i], Category::UserAnnotation) == HostKind::DataLoader;
            if (slices.category[i] == Category::UserAnnotation && (loads || phaseOfRange(rank.name(slice)) == phase)) {
                all = unitedSpan(all, rank.span(slice));
            }
        }
    }
    return all;
}

}  // namespace

std::optional<PhasePlace> placeOfPhase(const AnalysedRun& run, Phase phase) {
    const RunFacts& facts = run.facts;
    const std::optional<RunStepPosition> typical = typicalRunStep(facts);
    if (!typical) {
        return std::nullopt;
    }
    const RankPosition critical = facts.steps[*typical].critical_rank;
    const auto own = facts.steps[*typical].of(critical);
    if (!own || critical >= facts.ranks.size()) {
        return std::nullopt;
    }
    const RankPhases& phases = facts.ranks[critical].phases;
    if (*own >= phases.spans.size()) {
        return std::nullopt;
    }
    std::optional<TimeSpan> all;
    for (const PhaseSpan& part : phases.spans[*own]) {
        if (part.phase == phase) {
            all = unitedSpan(all, part.span);
        }
    }
    if (!all) {
        all = onHost(*run.run->ranks[critical], facts.ranks[critical].steps[*own], phase);
    }
    return all ? std::optional(PhasePlace{critical, *all}) : std::nullopt;
}

SliceRef markOfLatestStep(const RunFacts& facts, RankPosition rank) {
    if (rank >= facts.stragglers.ranks.size() || facts.stragglers.ranks[rank].steps.empty()) {
        return {};
    }
    const auto& steps = facts.stragglers.ranks[rank].steps;
    const auto latest = std::ranges::max_element(steps, {}, &SegmentTime::late_ns);
    const RankStep* const step = facts.stepOf(facts.steps[latest->step], rank);
    return step != nullptr ? step->mark : SliceRef();
}

}  // namespace rankscope::ui
