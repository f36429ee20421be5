// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/waits.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace rankscope {

std::uint32_t lastArriver(const Collective& collective) {
    const auto shortest =
        std::ranges::min_element(collective.members, {}, [](const CollectiveMember& m) { return m.span.length(); });
    return static_cast<std::uint32_t>(shortest - collective.members.begin());
}

std::uint32_t lastWaitedFor(const Collective& collective, std::uint32_t member) {
    if (!collective.timed_by_clock) {
        return lastArriver(collective);
    }
    const std::uint32_t waited_for = collective.members[member].waited_for;
    return waited_for == CollectiveMember::kNobody ? member : waited_for;
}

std::vector<std::uint32_t> lastArrivers(const CollectiveFacts& facts) {
    std::vector<std::uint32_t> last;
    last.reserve(facts.collectives.size());
    std::ranges::transform(facts.collectives, std::back_inserter(last), lastArriver);
    return last;
}

/// Follows one stretch of waiting to its causes.
struct WaitExplainer::Tracer {
    /// A chain cannot be longer than its ranks; a longer one would be a circle, caused by errors of clocks.
    static constexpr int kLongestChain = 16;

    const WaitExplainer& of;
    std::vector<WaitPart>& parts;

    /// `span` is of the waiting rank at the start of the chain; `shift` converts its times to those of the current
    /// rank.
    void waitIn(CollectivePosition collective, RankPosition rank, const TimeSpan& span, DurationNs shift, int depth) {
        const Collective& met = of.collectives_.collectives[collective];
        const CollectiveMember* const own = met.memberOf(rank);
        const std::optional<TimeNs> wait_end_ns = own == nullptr ? std::nullopt : met.beginOf(*own);
        // Without a transfer it is a kernel that only waits; for whom is unknown.
        if (depth > kLongestChain || !wait_end_ns) {
            parts.push_back({.span = span, .rank = rank});
            return;
        }
        const CollectiveMember& last = met.members[of.lastFor(collective, *own)];
        if (last.rank == rank) {
            parts.push_back({.span = span, .rank = rank});
            return;
        }
        // The end of this rank's wait is the start of the last arriver's part.
        activity(last.rank, span, shift + (last.span.start_ns - *wait_end_ns), depth);
    }

    void activity(RankPosition rank, const TimeSpan& span, DurationNs shift, int depth) {
        const TimeSpan there{span.start_ns + shift, span.end_ns + shift};
        const MeasuredRank& facts = of.ranks_[rank];
        TimeNs at = there.start_ns;
        const IntervalSet& compute = facts.compute;
        const IntervalSet pieces = compute.clip(there);
        for (const TimeSpan& piece : pieces.spans()) {
            beside(rank, {at, piece.start_ns}, shift, depth);
            add(rank, piece, shift, WaitedFor::Compute);
            at = piece.end_ns;
        }
        beside(rank, {at, there.end_ns}, shift, depth);
    }

    /// `there` must not contain compute.
    void beside(RankPosition rank, const TimeSpan& there, DurationNs shift, int depth) {
        TimeNs at = there.start_ns;
        if (there.empty()) {
            return;
        }
        const IntervalSet pieces = of.ranks_[rank].communication.clip(there);
        for (const TimeSpan& piece : pieces.spans()) {
            idleOrCopy(rank, {at, piece.start_ns}, shift);
            communication(rank, piece, shift, depth);
            at = piece.end_ns;
        }
        idleOrCopy(rank, {at, there.end_ns}, shift);
    }

    void communication(RankPosition rank, const TimeSpan& there, DurationNs shift, int depth) {
        TimeNs at = there.start_ns;
        const IntervalSet pieces = of.exposed_[rank].wait.clip(there);
        for (const TimeSpan& piece : pieces.spans()) {
            add(rank, {at, piece.start_ns}, shift, WaitedFor::Communication);
            of.exposed_[rank].waits.divide(piece, [&](const TimeSpan& part, CollectivePosition collective) {
                const TimeSpan own{part.start_ns - shift, part.end_ns - shift};
                waitIn(collective, rank, own, shift, depth + 1);
            });
            at = piece.end_ns;
        }
        add(rank, {at, there.end_ns}, shift, WaitedFor::Communication);
    }

    void idleOrCopy(RankPosition rank, const TimeSpan& there, DurationNs shift) {
        if (there.empty()) {
            return;
        }
        TimeNs at = there.start_ns;
        const IntervalSet pieces = of.ranks_[rank].copy.clip(there);
        for (const TimeSpan& piece : pieces.spans()) {
            idle(rank, {at, piece.start_ns}, shift);
            add(rank, piece, shift, WaitedFor::Copy);
            at = piece.end_ns;
        }
        idle(rank, {at, there.end_ns}, shift);
    }

    /// Gaps are known only inside steps; outside, the cause is unknown.
    void idle(RankPosition rank, const TimeSpan& there, DurationNs shift) {
        const std::vector<const Gap*>& gaps = of.gaps_[rank];
        auto gap = std::ranges::upper_bound(gaps, there.start_ns, {}, [](const Gap* g) { return g->span.end_ns; });
        TimeNs at = there.start_ns;
        for (; gap != gaps.end() && (*gap)->span.start_ns < there.end_ns; ++gap) {
            for (const GapPart& part : (*gap)->parts) {
                const TimeSpan piece = intersect(part.span, there);
                if (piece.empty()) {
                    continue;
                }
                add(rank, {at, piece.start_ns}, shift, WaitedFor::Unknown);
                add(rank, piece, shift, WaitedFor::Idle, &part);
                at = piece.end_ns;
            }
        }
        add(rank, {at, there.end_ns}, shift, WaitedFor::Unknown);
    }

    void add(RankPosition rank, const TimeSpan& there, DurationNs shift, WaitedFor what, const GapPart* gap = nullptr) {
        if (there.empty()) {
            return;
        }
        WaitPart part{.span = {there.start_ns - shift, there.end_ns - shift}, .rank = rank, .what = what};
        if (gap != nullptr) {
            part.cause = gap->cause;
            part.label = gap->label;
            part.evidence = gap->evidence.empty() ? SliceRef() : gap->evidence.front();
        } else {
            part.evidence = of.workAt(rank, there);
        }
        WaitPart* const before = parts.empty() ? nullptr : &parts.back();
        const bool goes_on = before != nullptr && before->rank == rank && before->what == what &&
                             before->cause == part.cause && before->label == part.label &&
                             before->span.end_ns == part.span.start_ns;
        if (goes_on) {
            before->span.end_ns = part.span.end_ns;
        } else {
            parts.push_back(part);
        }
    }
};

WaitExplainer::WaitExplainer(const std::vector<MeasuredRank>& ranks, const std::vector<RankContext>& work,
                             const std::vector<ExposedCommunication>& exposed, const CollectiveFacts& collectives)
    : ranks_(ranks),
      work_(work),
      exposed_(exposed),
      collectives_(collectives),
      gaps_(ranks.size()),
      last_arriver_(lastArrivers(collectives)) {
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        for (const MeasuredStep& step : ranks[r].steps) {
            for (const Gap& gap : step.gaps) {
                gaps_[r].push_back(&gap);
            }
        }
    }
}

std::uint32_t WaitExplainer::lastFor(CollectivePosition collective, const CollectiveMember& member) const {
    const Collective& met = collectives_.collectives[collective];
    return !met.timed_by_clock ? last_arriver_[collective]
                               : lastWaitedFor(met, static_cast<std::uint32_t>(&member - met.members.data()));
}

std::vector<ExposedWait> WaitExplainer::waitsIn(RankPosition rank, const TimeSpan& step) const {
    std::vector<ExposedWait> waits;
    const IntervalSet pieces = exposed_[rank].wait.clip(step);
    for (const TimeSpan& piece : pieces.spans()) {
        exposed_[rank].waits.divide(piece, [&](const TimeSpan& part, CollectivePosition collective) {
            ExposedWait wait{.span = part, .collective = collective, .parts = {}};
            Tracer{*this, wait.parts}.waitIn(collective, rank, part, 0, 0);
            waits.push_back(std::move(wait));
        });
    }
    return waits;
}

SliceRef WaitExplainer::workAt(RankPosition rank, const TimeSpan& span) const {
    const std::vector<DeviceEvent>& events = work_[rank].device.events;
    const auto after =
        std::ranges::upper_bound(events, span.start_ns, {}, [](const DeviceEvent& e) { return e.span.start_ns; });
    return after == events.begin() || std::prev(after)->span.end_ns <= span.start_ns ? SliceRef()
                                                                                     : std::prev(after)->ref;
}

WaitTimes sumWaits(const std::vector<ExposedWait>& waits) {
    WaitTimes times;
    for (const ExposedWait& wait : waits) {
        for (const WaitPart& part : wait.parts) {
            const DurationNs ns = part.span.length();
            switch (part.what) {
                case WaitedFor::Compute: times.compute_ns += ns; break;
                case WaitedFor::Communication: times.communication_ns += ns; break;
                case WaitedFor::Copy: times.copy_ns += ns; break;
                case WaitedFor::Idle: times.idle[part.cause] += ns; break;
                case WaitedFor::Unknown: times.unknown_ns += ns; break;
            }
        }
    }
    return times;
}

WaitTimes sumWaitsIn(const ExplainedRank& rank, std::size_t collective) {
    std::vector<ExposedWait> waits;
    for (const RankStep& step : rank.steps) {
        std::ranges::copy_if(step.waits, std::back_inserter(waits),
                             [&](const ExposedWait& wait) { return wait.collective == collective; });
    }
    return sumWaits(waits);
}

}  // namespace rankscope
