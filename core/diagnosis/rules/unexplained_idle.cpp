// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/host_changes.h"
#include "core/diagnosis/evidence/late_host.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace unexplained_idle {
namespace {

/// A device needs a pause of this length between two pieces of queued work in any case.
constexpr DurationNs kHandOverNs = 5'000;

/// Idle time of this kind per median step, by cause.
DurationNs baselineTimeOf(const RuleContext& context, Cause cause) {
    return context.pricer.typicalLedgerTime(
        [cause](const LedgerEntry& e) { return LateHost::isUnexplained(e) && e.cause == cause; });
}

/// Idle time as reported: its kind, and the key of its sentence.
struct ToldIdle {
    Cause cause;
    std::string key;
};

bool isUnseen(const LedgerEntry& e) {
    return e.cause == Cause::Unrecorded && LateHost::isUnexplained(e);
}

/// The length of the shortest stretch on any rank in which the device is idle and the CPU recorded nothing; nothing if
/// there is none.
std::optional<DurationNs> shortestStretch(const RuleContext& context) {
    std::optional<DurationNs> shortest_ns;
    for (RankPosition rank{0}; rank < context.work.size(); ++rank) {
        for (const HostChange& stretch : withoutParts(context, rank, isUnseen)) {
            shortest_ns = std::min(shortest_ns.value_or(stretch.span.length()), stretch.span.length());
        }
    }
    return shortest_ns;
}

/// When no thread of a rank that launches work recorded anything, apart from marks of steps.
IntervalSet unrecordedTime(const RuleContext& context, RankPosition rank) {
    const RankContext& work = context.work[rank];
    std::vector<TimeSpan> busy;
    for (const HostThread& thread : work.threads.all()) {
        if (!thread.track.valid() || !thread.puts_work) {
            continue;
        }
        const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
        auto mark = thread.track == work.marks.thread ? work.marks.marks.begin() : work.marks.marks.end();
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            while (mark != work.marks.marks.end() && (!mark->slice.valid() || mark->slice.slice < i)) {
                ++mark;
            }
            if (mark == work.marks.marks.end() || mark->slice.slice != i) {
                busy.push_back(slices.span(i));
            }
        }
    }
    const IntervalSet recorded = IntervalSet::unionOf(std::move(busy));
    std::vector<TimeSpan> rest;
    for (const TimeSpan& window : context.facts.ranks[rank].windows.all()) {
        const IntervalSet gaps = recorded.gapsIn(window);
        rest.insert(rest.end(), gaps.spans().begin(), gaps.spans().end());
    }
    return IntervalSet::unionOf(std::move(rest));
}

/// Stretches in which the CPU of a rank recorded nothing for as long as elsewhere, while its device waited in a
/// collective, so it was not idle. Without the idle time of the ranks that it waited for, it would be.
std::vector<TimeSpan> hiddenStretches(const RuleContext& context, RankPosition rank, DurationNs least_ns) {
    const RankFacts& facts = context.facts.ranks[rank];
    const IntervalSet exposed = facts.communication.subtract(facts.compute);
    const IntervalSet unrecorded = unrecordedTime(context, rank);
    std::vector<TimeSpan> hidden;
    for (const TimeSpan& stretch : unrecorded.spans()) {
        if (stretch.length() >= least_ns && 2 * exposed.lengthIn(stretch) >= stretch.length()) {
            hidden.push_back(stretch);
        }
    }
    return hidden;
}

Explanation explain(const RuleContext& context, const Price& price) {
    const std::vector<ToldIdle> kinds = {{Cause::Queued, "unexplained-idle.queued"},
                                         {Cause::InsideGraph, "unexplained-idle.graph"},
                                         {Cause::Unrecorded, "unexplained-idle.unrecorded"}};
    std::vector<std::string> times;
    for (const ToldIdle& kind : kinds) {
        if (const DurationNs ns = baselineTimeOf(context, kind.cause); ns > 0) {
            times.push_back(context.sentences.fill(kind.key, {{"time", formatDuration(ns)}}));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < times.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == times.size() ? ", and " : ", ") + times[i];
    }
    const bool only_unrecorded = times.size() == 1 && baselineTimeOf(context, Cause::Unrecorded) > 0;
    const std::string unknown = only_unrecorded ? "" : context.sentences.fill("unexplained-idle.unknown", {});
    return {.why = context.sentences.fill("unexplained-idle.why",
                                          {{"times", text.empty() ? "for " + formatDuration(0) : text},
                                           {"replay", replayText(context, price)},
                                           {"unknown", unknown}}),
            .at_most = Confidence::Low,
            .doubt = context.sentences.fill("unexplained-idle.doubt", {})};
}

}  // namespace
}  // namespace unexplained_idle

std::vector<Problem> unexplainedIdle(const RuleContext& context) {
    using namespace unexplained_idle;
    const ChangeOfRank at_once = [&context, shortest_ns = shortestStretch(context)](RankPosition rank) {
        std::vector<TimeSpan> stretches;
        for (const HostChange& own : withoutParts(context, rank, isUnseen)) {
            stretches.push_back(own.span);
        }
        if (shortest_ns) {
            std::ranges::move(hiddenStretches(context, rank, *shortest_ns), std::back_inserter(stretches));
        }
        return ReplayChange{.queue_gap = kHandOverNs, .host = without(IntervalSet::unionOf(std::move(stretches)))};
    };
    return {{.id = FindingId::UnexplainedIdle,
             .owned = [](const LedgerEntry& e) { return LateHost::isUnexplained(e); },
             .change = onEachRank(context, at_once),
             .claim = Claim::LeftOver,
             .at_most = true,
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
