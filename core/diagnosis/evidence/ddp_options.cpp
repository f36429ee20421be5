// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/ddp_options.h"

#include <algorithm>
#include <memory>

#include "core/analysis/collectives/used_map.h"
#include "core/analysis/steps/step_bounds.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/host_changes.h"

namespace rankscope {
namespace {

bool isPart(const RankContext& work, const HostThread& thread, SliceIndex range, ReducerPart part) {
    return work.names.reducerPart(work.trace->tracks[thread.track.value].slices.name[range]) == part;
}

bool hasPart(const RankContext& work, ReducerPart part) {
    return std::ranges::any_of(work.threads.all(), [&](const HostThread& thread) {
        return std::ranges::any_of(thread.reducers, [&](SliceIndex i) { return isPart(work, thread, i, part); });
    });
}

/// The device work that was launched in ranges of this part.
std::vector<SliceRef> launchedIn(const RankContext& work, ReducerPart part) {
    std::vector<SliceRef> launched;
    if (!hasPart(work, part)) {
        return launched;
    }
    for (const DeviceEvent& event : work.device.events) {
        const SliceRef range =
            event.launch.valid() ? work.threads.reducerAround(*work.trace, work.names, event.launch) : SliceRef();
        if (range.valid() && work.names.reducerPart(work.trace->track(range).slices.name[range.slice]) == part) {
            launched.push_back(event.ref);
        }
    }
    return launched;
}

/// The part of the reducer on one rank: the device work in its ranges. The maps of used parameters belong to the search
/// for unused ones.
class PartOfRank {
  public:
    PartOfRank(const RankContext& work, ReducerPart part) : device_(launchedIn(work, part)) {
        std::vector<TimeSpan> host;
        for (const UsedMap& map : part == ReducerPart::SearchUnused ? findUsedMaps(work) : std::vector<UsedMap>()) {
            device_.insert(device_.end(), map.device.begin(), map.device.end());
            for (const SliceRef& slice : map.host) {
                host.push_back(work.trace->span(slice));
            }
        }
        std::ranges::sort(device_);
        host_ = IntervalSet::unionOf(std::move(host));
    }

    /// Whether a replayed event is its device work; the event is an element of `events`.
    [[nodiscard]] std::function<bool(const ReplayEvent&)> isDeviceWork(const std::vector<ReplayEvent>& events) const {
        std::vector<bool> own;
        own.reserve(events.size());
        for (const ReplayEvent& event : events) {
            own.push_back(std::ranges::binary_search(device_, event.ref));
        }
        return [own = std::make_shared<const std::vector<bool>>(std::move(own)), &events](const ReplayEvent& event) {
            return (*own)[static_cast<std::size_t>(&event - events.data())];
        };
    }
    [[nodiscard]] bool hasHost(const TimeSpan& call) const {
        return !call.empty() && host_.lengthIn(call) == call.length();
    }
    /// Whether the longest wait of a ledger entry is for a map.
    [[nodiscard]] bool ownWaits(const LedgerEntry& entry, const RankContext& work) const {
        const bool waits = entry.cause == Cause::HostSync || entry.cause == Cause::BlockingCopy;
        return waits && !entry.evidence.empty() && hasHost(work.trace->span(entry.evidence.front()));
    }
    void addHost(std::vector<HostChange>& changes) const {
        for (const TimeSpan& span : host_.spans()) {
            changes.push_back({span, 0});
        }
    }

  private:
    std::vector<SliceRef> device_;  // sorted
    IntervalSet host_;
};

/// Host time without the outermost ranges of this part.
std::vector<HostChange> withoutReducer(const RankContext& work, ReducerPart part) {
    std::vector<TimeSpan> ranges;
    for (const HostThread& thread : work.threads.all()) {
        TimeNs taken_ns = work.trace->window.start_ns;
        for (const SliceIndex i : thread.reducers) {
            const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
            if (slices.start_ns[i] >= taken_ns && isPart(work, thread, i, part)) {
                ranges.push_back(slices.span(i));
                taken_ns = slices.end_ns[i];
            }
        }
    }
    return without(IntervalSet::unionOf(std::move(ranges)));
}

}  // namespace

ReducerProblem reducerProblem(const RuleContext& context, ReducerPart part) {
    const auto parts = std::make_shared<std::vector<PartOfRank>>();
    for (const RankContext& work : context.work) {
        parts->emplace_back(work, part);
    }
    ReducerProblem problem;
    problem.owned = [&context, parts, part](const LedgerEntry& e) {
        const bool its_own =
            (e.owner == Owner::ExposedCopy || e.owner == Owner::Blocked) && reducerPartOf(e.label) == part;
        return its_own || (e.owner == Owner::Blocked && (*parts)[e.rank].ownWaits(e, context.work[e.rank]));
    };
    problem.without_it = onEachRank(context, [&context, parts, part](RankPosition rank) {
        ReplayChange change;
        change.removed = (*parts)[rank].isDeviceWork(context.pricer.model().ranks[rank].events);
        change.no_wait = [parts, rank](const ReplayWait& wait) { return (*parts)[rank].hasHost(wait.call); };
        change.host = withoutReducer(context.work[rank], part);
        (*parts)[rank].addHost(change.host);
        return change;
    });
    return problem;
}

std::vector<RankPosition> ranksWithPart(const RuleContext& context, DdpPart DdpStep::*part) {
    std::vector<RankPosition> ranks;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        const bool any = std::ranges::any_of(context.pricer.steady(), [&](const RunStep* step) {
            const std::optional<RankStepPosition> own = step->of(r);
            return own && (context.facts.ranks[r].ddp.steps[*own].*part).calls > 0;
        });
        if (any) {
            ranks.push_back(r);
        }
    }
    return ranks;
}

DdpPart medianDdpPart(const RuleContext& context, DdpPart DdpStep::*part) {
    std::vector<DdpPart> steps;
    for (const RunStep* step : context.pricer.steady()) {
        const RankStepPosition own = step->ofCriticalRank();
        steps.push_back(context.facts.ranks[step->critical_rank].ddp.steps[own].*part);
    }
    std::ranges::stable_sort(steps, {}, &DdpPart::host_ns);
    return steps.empty() ? DdpPart() : steps[(steps.size() - 1) / 2];
}

std::vector<Evidence> evidenceOfReducer(const RuleContext& context, const std::vector<RankPosition>& ranks,
                                        ReducerPart part) {
    constexpr std::size_t kMostEvidence = 8;
    struct Seen {
        bool left_out = false;
        DurationNs length_ns = 0;
        Evidence evidence;
    };
    std::vector<Seen> seen;
    for (const RankPosition rank : ranks) {
        const RankContext& work = context.work[rank];
        for (const HostThread& thread : work.threads.all()) {
            for (const SliceIndex i : thread.reducers) {
                const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
                const auto at =
                    isPart(work, thread, i, part) ? slotOf(work.marks.marks, slices.start_ns[i]).step() : std::nullopt;
                if (at) {
                    const RankStep& step = context.facts.ranks[rank].steps[*at];
                    const DurationNs ns = slices.span(i).length();
                    seen.push_back({!step.complete || step.outlier,
                                    ns,
                                    {rank, step.index, {thread.track, i}, "takes the CPU " + formatDuration(ns)}});
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
