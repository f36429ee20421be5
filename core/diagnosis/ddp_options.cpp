// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/ddp_options.h"

#include <algorithm>

#include "core/analysis/host_activity.h"
#include "core/analysis/step_bounds.h"
#include "core/base/format.h"
#include "core/diagnosis/host_changes.h"

namespace rankscope {
namespace {

ReducerPart partAround(const RankWork& work, const HostActivities& activities, SliceRef device_work) {
    const SliceRef launch = work.trace->launches.launchOf(device_work);
    const SliceRef range = launch.valid() ? activities.reducerAround(launch) : SliceRef();
    return range.valid() ? work.names.reducerPart(work.trace->track(range).slices.name[range.slice])
                         : ReducerPart::None;
}

}  // namespace

Price priceOfReducer(const RuleContext& context, ReducerPart part) {
    const auto in_ledger = [part](const LedgerEntry& e) {
        return (e.owner == Owner::ExposedCopy || e.owner == Owner::Blocked) && reducerPartOf(e.label) == part;
    };
    const auto without_it = [&](std::uint32_t rank) {
        const RankWork& work = context.work[rank];
        ReplayChange change;
        const HostActivities activities(*work.trace, work.names, work.threads);
        change.removed = [&work, part, activities](const ReplayEvent& event) {
            return partAround(work, activities, event.ref) == part;
        };
        change.host = withoutSlices(
            work, [&work, part](StringId name, Category) { return work.names.reducerPart(name) == part; });
        return change;
    };
    return context.pricer.price(in_ledger, without_it);
}

DdpPart usualDdpPart(const RuleContext& context, DdpPart DdpStep::*part) {
    std::vector<DdpPart> steps;
    for (const RunStep* step : context.pricer.ordinary()) {
        const std::uint32_t own = *step->by_rank[step->pacing_rank];
        steps.push_back(context.facts.ranks[step->pacing_rank].ddp.steps[own].*part);
    }
    std::ranges::stable_sort(steps, {}, &DdpPart::host_ns);
    return steps.empty() ? DdpPart() : steps[(steps.size() - 1) / 2];
}

std::vector<Evidence> evidenceOfReducer(const RuleContext& context, const std::vector<std::uint32_t>& ranks,
                                        ReducerPart part) {
    constexpr std::size_t kMostEvidence = 8;
    struct Seen {
        bool left_out = false;
        DurationNs length_ns = 0;
        Evidence evidence;
    };
    std::vector<Seen> seen;
    for (const std::uint32_t rank : ranks) {
        const RankWork& work = context.work[rank];
        for (const HostThread& thread : work.threads.all()) {
            const SliceTable& slices = work.trace->tracks[thread.track.valid() ? thread.track.value : 0].slices;
            for (SliceIndex i = 0; thread.track.valid() && i < slices.size(); ++i) {
                const StepSlot slot = work.names.reducerPart(slices.name[i]) == part
                                          ? slotOf(work.marks.marks, slices.start_ns[i])
                                          : StepSlot{0};
                if (slot % 2 == 1) {
                    const RankStep& step = context.facts.ranks[rank].steps[slot / 2];
                    const DurationNs ns = slices.span(i).length();
                    seen.push_back({!step.complete || step.outlier,
                                    ns,
                                    {rank, step.index, {thread.track, i}, "takes the host " + formatDuration(ns)}});
                }
            }
        }
    }
    const std::size_t kept = std::min(kMostEvidence, seen.size());
    std::ranges::partial_sort(seen, seen.begin() + static_cast<std::ptrdiff_t>(kept), {},
                              [](const Seen& s) { return std::pair(s.left_out, -s.length_ns); });
    std::vector<Evidence> evidence;
    for (std::size_t i = 0; i < kept; ++i) {
        evidence.push_back(std::move(seen[i].evidence));
    }
    return evidence;
}

}  // namespace rankscope
