// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/contended_change.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/interval_set.h"
#include "core/diagnosis/prices/price_remedy.h"

namespace rankscope {
namespace {

/// By rank and ReplayModel::events: the share of a kernel's time beside communication. 0 for all else.
using Shares = std::vector<std::vector<double>>;

/// Whether the replay gives each kernel what collectives that wait beside it cost.
bool waitsArePlayed(const RuleContext& context) {
    return context.facts.slowdown_beside_waiting.has_value();
}

/// The times in which a rank communicates; with `change` empty as recorded, else in a replay where work ran at `work`.
IntervalSet communicationOf(const RuleContext& context, RankPosition rank, const std::vector<TimeSpan>* work,
                            const RunChange& change) {
    const RunReplayModel& model = context.pricer.model();
    const std::vector<ReplayEvent>& events = model.ranks[rank].events;
    std::vector<TimeSpan> spans;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (!events[i].communication) {
            continue;
        }
        TimeSpan span = work == nullptr ? events[i].span : (*work)[i];
        if (waitsArePlayed(context) && events[i].rendezvous != ReplayEvent::kNone) {
            const ReplayRendezvous& met = model.rendezvous[events[i].rendezvous];
            const DurationNs transfer_ns = change.transferOf(met.collective, met.transfer_ns);
            span.start_ns = std::max(span.start_ns, span.end_ns - transfer_ns);
        }
        spans.push_back(span);
    }
    return IntervalSet::unionOf(std::move(spans));
}

std::vector<double> sharesOf(const RuleContext& context, RankPosition rank, const std::vector<TimeSpan>* work,
                             const RunChange& change) {
    const std::vector<ReplayEvent>& events = context.pricer.model().ranks[rank].events;
    const IntervalSet communication = communicationOf(context, rank, work, change);
    std::vector<double> shares(events.size());
    for (std::size_t i = 0; i < events.size() && !communication.empty(); ++i) {
        const TimeSpan& span = work == nullptr ? events[i].span : (*work)[i];
        const bool is_kernel =
            !events[i].communication && context.work[rank].trace->category(events[i].ref) == Category::Kernel;
        if (is_kernel && !span.empty()) {
            shares[i] = static_cast<double>(communication.lengthIn(span)) / static_cast<double>(span.length());
        }
    }
    return shares;
}

/// `change`, with each kernel as slow as communication beside it makes it: now `after` of its time, and not `today`.
RunChange withShares(const RuleContext& context, const RunChange& change, Shares today, Shares after, double slowdown) {
    struct Both {
        Shares today;
        Shares after;
    };
    RunChange contended = change;
    contended.of_rank = [&ranks = context.pricer.model().ranks, of_rank = change.of_rank, lost = 1 - 1 / slowdown,
                         shares = std::make_shared<const Both>(std::move(today), std::move(after))](RankPosition rank) {
        ReplayChange slower = of_rank ? of_rank(rank) : ReplayChange();
        slower.length = [&events = ranks[rank].events, lost, shares, rank,
                         of = std::move(slower.length)](const ReplayEvent& event) {
            const DurationNs length_ns = of ? of(event) : event.span.length();
            const auto index = static_cast<std::size_t>(&event - events.data());
            const double was = shares->today[rank][index];
            const double is = shares->after[rank].empty() ? was : shares->after[rank][index];
            return was == is ? length_ns
                             : static_cast<DurationNs>(
                                   std::llround(static_cast<double>(length_ns) * (1 - lost * was) / (1 - lost * is)));
        };
        return slower;
    };
    return contended;
}

/// How far off a correction may be, if the slowdown may be from the lowest to the highest instead of the likely one.
AddedTime errorOf(DurationNs correction_ns, const CostSize& times) {
    const auto at = [&](double slowdown) {
        const double part = (slowdown - 1) / (times.likely - 1) - 1;
        return static_cast<DurationNs>(std::llround(part * static_cast<double>(correction_ns)));
    };
    return {std::min({DurationNs{0}, at(times.low), at(times.high)}), 0,
            std::max({DurationNs{0}, at(times.low), at(times.high)})};
}

}  // namespace

ContendedChange withContention(const RuleContext& context, RunChange change) {
    const CostSize times = besideCommunication(context).times;
    const std::vector<ReplayedRank> replayed =
        times.likely > 1 ? context.pricer.replayedWork(change) : std::vector<ReplayedRank>();
    Shares today;
    Shares after;
    for (RankPosition r{0}; r < replayed.size(); ++r) {
        today.push_back(sharesOf(context, r, nullptr, {}));
        const bool played = !replayed[r].steps.empty();
        after.push_back(played ? sharesOf(context, r, &replayed[r].work, change) : std::vector<double>());
    }
    bool differs = false;
    for (std::size_t r = 0; r < after.size(); ++r) {
        differs = differs || (!after[r].empty() && after[r] != today[r]);
    }
    if (!differs) {
        return {std::move(change)};
    }
    ContendedChange out;
    out.change = withShares(context, change, std::move(today), std::move(after), times.likely);
    out.error = errorOf(context.pricer.saving({}, change) - context.pricer.saving({}, out.change), times);
    return out;
}

}  // namespace rankscope
