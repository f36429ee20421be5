// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/gaps/host_stalls.h"
#include "core/base/format.h"
#include "core/base/format_factor.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/host_changes.h"
#include "core/diagnosis/evidence/stall_pattern.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace host_stall {
namespace {

/// Fewer stalls than this, all shorter than kShortStallNs, may be page faults, or a library that initialises.
constexpr std::size_t kFewStalls = 6;
constexpr DurationNs kShortStallNs = 10'000'000;
/// With this many stalls, the confidence may be high.
constexpr std::size_t kManyStalls = 20;

bool isStall(const LedgerEntry& entry) {
    return entry.owner == Owner::Blocked && entry.cause == Cause::HostStall;
}

/// The part of a launch call's stalls before the work started. The rest is the call's own latency.
DurationNs stalledIn(const std::vector<HostStall>& stalls, const DeviceEvent& event) {
    DurationNs stalled_ns = 0;
    const TimeSpan call{event.call.start_ns, std::min(event.call.end_ns, event.span.start_ns)};
    for (const HostStall& stall : stalls) {
        if (stall.track == event.launch.track) {
            stalled_ns += std::max<DurationNs>(0, intersect(stall.span, call).length() - stall.baseline_ns);
        }
    }
    return stalled_ns;
}

/// By device work: how long its launch call stalled before the work started. Only for long calls: others are shorter
/// than any stall.
std::map<SliceRef, DurationNs> stalledLaunches(const RankContext& work, const std::vector<HostStall>& stalls) {
    std::map<SliceRef, DurationNs> stalled;
    for (const DeviceEvent& event : work.device.events) {
        if (event.launch.valid() && event.call.length() > kLeastStallNs) {
            if (const DurationNs ns = stalledIn(stalls, event); ns > 0) {
                stalled.emplace(event.ref, ns);
            }
        }
    }
    return stalled;
}

bool mayWait(const RankContext& work, SliceRef slice) {
    switch (work.names.kind(work.trace->track(slice).slices.name[slice.slice], work.trace->category(slice))) {
        case HostKind::Sync:
        case HostKind::AsyncCopy:
        case HostKind::BlockingCopy: return true;
        default: return false;
    }
}

/// All stalls take their usual time, even without a gap: they delay the host as well.
ReplayChange withoutStalls(const RuleContext& context, RankPosition rank) {
    const std::vector<HostStall>& stalls = context.facts.ranks[rank].stalls;
    ReplayChange change;
    for (const HostStall& stall : stalls) {
        change.host.push_back({stall.span, stall.baseline_ns});
    }
    if (std::map<SliceRef, DurationNs> launches = stalledLaunches(context.work[rank], stalls); !launches.empty()) {
        change.latency = [launches = std::move(launches)](const ReplayEvent& event) {
            const auto found = launches.find(event.ref);
            const DurationNs observed_ns = event.span.start_ns - event.launched_ns;
            return found == launches.end() ? event.latency_ns
                                           : std::clamp<DurationNs>(observed_ns - found->second, 0, event.latency_ns);
        };
    }
    // Of a stalled wait the end stalls: work that is done by then is no longer waited for.
    std::map<TimeSpan, DurationNs> late;
    for (const HostStall& stall : stalls) {
        const SliceRef slice{stall.track, stall.slice};
        if (stall.slice != kNoSlice && mayWait(context.work[rank], slice)) {
            late.emplace(context.work[rank].trace->span(slice), stall.span.length() - stall.baseline_ns);
        }
    }
    if (!late.empty()) {
        change.late_return = [late = std::move(late)](const ReplayWait& wait) {
            const auto found = late.find(wait.call);
            return found == late.end() ? 0 : found->second;
        };
    }
    return change;
}

struct StallSums {
    std::size_t count = 0;
    DurationNs total_ns = 0;
    DurationNs longest_ns = 0;
    std::vector<double> factors;  ///< length / usual length
    std::map<std::string, DurationNs, std::less<>> by_name;
};

/// What the thread was in; "between operators" if only the mark of a step, or nothing, is around it.
std::string nameOf(const RuleContext& context, RankPosition rank, const HostStall& stall) {
    const RankContext& work = context.work[rank];
    const SliceRef slice{stall.track, stall.slice};
    const bool is_named = stall.slice != kNoSlice && work.names.kind(work.trace->track(slice).slices.name[stall.slice],
                                                                     work.trace->category(slice)) != HostKind::StepMark;
    return is_named ? std::string(work.trace->name(slice)) : context.sentences.fill("host-stall.between", {});
}

StallSums sumStalls(const RuleContext& context) {
    StallSums sums;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        for (const HostStall& stall : context.facts.ranks[r].stalls) {
            const DurationNs length_ns = stall.span.length();
            ++sums.count;
            sums.total_ns += length_ns;
            sums.longest_ns = std::max(sums.longest_ns, length_ns);
            sums.factors.push_back(static_cast<double>(length_ns) /
                                   static_cast<double>(std::max<DurationNs>(1, stall.baseline_ns)));
            sums.by_name[nameOf(context, r, stall)] += length_ns;
        }
    }
    return sums;
}

/// "aten::empty (210.0 ms), ...": the three with most time.
std::string namesText(const RuleContext& context, const StallSums& sums) {
    constexpr std::size_t kNames = 3;
    std::vector<std::pair<std::string, DurationNs>> names(sums.by_name.begin(), sums.by_name.end());
    std::ranges::stable_sort(names, std::greater<>(), [](const auto& name) { return name.second; });
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kNames; ++i) {
        text += (i == 0 ? "" : ", ") +
                context.sentences.fill("host-stall.name",
                                       {{"name", names[i].first}, {"time", formatDuration(names[i].second)}});
    }
    return text.empty() ? text : context.sentences.fill("host-stall.names", {{"names", text}});
}

const char* conditionOf(StallKind kind) {
    switch (kind) {
        case StallKind::MoreThreadsThanCores: return "cores";
        case StallKind::PausedTogether: return "paused";
        case StallKind::OneThread: return "one-thread";
        case StallKind::Unknown: break;
    }
    return "unknown";
}

std::string kindText(const Sentences& say, StallKind kind) {
    switch (kind) {
        case StallKind::MoreThreadsThanCores: return say.fill("host-stall.kind-cores", {});
        case StallKind::PausedTogether: return say.fill("host-stall.kind-paused", {});
        case StallKind::OneThread: return say.fill("host-stall.kind-one-thread", {});
        case StallKind::Unknown: break;
    }
    return say.fill("host-stall.kind-unknown", {});
}

/// How many ranks ran at once, and what that shows.
std::string patternText(const RuleContext& context, const HostPattern& host) {
    const Sentences& say = context.sentences;
    const StallPattern& pattern = host.pattern;
    std::string text;
    if (pattern.ranks > 1) {
        text = say.fill("host-stall.running",
                        {{"ranks", formatCounted(pattern.ranks, "rank")},
                         {"host", host.host.empty() ? "" : say.fill("host-stall.host", {{"host", host.host}})},
                         {"running", formatCount(pattern.running)},
                         {"share", formatPercent(pattern.running_share)},
                         {"most", formatCount(pattern.most_running)},
                         {"stalled", formatPercent(pattern.stalled_share)}});
    }
    if (pattern.grid_ns) {
        text += say.fill("host-stall.grid", {{"grid", formatDuration(*pattern.grid_ns)}});
    }
    return text + kindText(say, pattern.kind);
}

/// If there are too few cores, or a whole container pauses, the host is at fault. Then all of its ranks that stall are
/// culprits, in addition to those with the price. Else nothing: those with the price are.
std::optional<std::vector<RankPosition>> culpritsOf(const RuleContext& context, const HostPattern& host,
                                                    const Price& price) {
    if (host.pattern.kind != StallKind::MoreThreadsThanCores && host.pattern.kind != StallKind::PausedTogether) {
        return std::nullopt;
    }
    std::vector<RankPosition> ranks;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        const bool of_host = context.run.ranks[r]->host == host.host && !context.facts.ranks[r].stalls.empty();
        if (of_host || std::ranges::find(price.ranks, r) != price.ranks.end()) {
            ranks.push_back(r);
        }
    }
    return ranks;
}

std::optional<Explanation> explain(const RuleContext& context, const Price& price) {
    const StallSums sums = sumStalls(context);
    const HostPattern host = worstHost(context);
    std::vector<std::string> conditions = {conditionOf(host.pattern.kind)};
    if (std::ranges::none_of(price.ranks, [&](RankPosition r) { return hasStacks(*context.run.ranks[r]); })) {
        conditions.emplace_back("no-stacks");
    }
    return Explanation{
        .why = context.sentences.fill("host-stall.why", {{"stalls", formatCounted(sums.count, "time")},
                                                         {"total", formatDuration(sums.total_ns)},
                                                         {"longest", formatDuration(sums.longest_ns)},
                                                         {"factor", formatFactor(midMedian(sums.factors), 0)},
                                                         {"names", namesText(context, sums)},
                                                         {"pattern", patternText(context, host)},
                                                         {"blocked", formatDuration(price.blocked_ns)},
                                                         {"replay", replayText(context, price)}}),
        .conditions = std::move(conditions),
        .culprits = culpritsOf(context, host, price),
        .at_most = sums.count >= kManyStalls ? Confidence::High : Confidence::Medium,
        .doubt = sums.count >= kManyStalls
                     ? ""
                     : context.sentences.fill("host-stall.doubt", {{"stalls", formatCounted(sums.count, "time")}})};
}

}  // namespace
}  // namespace host_stall

std::vector<Problem> hostStalls(const RuleContext& context) {
    using namespace host_stall;
    const StallSums sums = sumStalls(context);
    if (sums.count == 0 || (sums.count < kFewStalls && sums.longest_ns < kShortStallNs)) {
        return {};
    }
    return {{.id = FindingId::HostStall,
             .owned = isStall,
             .change = onEachRank(context, [&context](RankPosition rank) { return withoutStalls(context, rank); }),
             .reach = Reach::BlockedTime,
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
