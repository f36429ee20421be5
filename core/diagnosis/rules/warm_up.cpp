// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/base/interval_set.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/host_changes.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace warm_up {
namespace {

/// From a launch call to the start on an idle device, once graph and code are loaded.
constexpr DurationNs kReadyNs = 10'000;

bool isWarmUp(const LedgerEntry& entry) {
    return entry.owner == Owner::Blocked && entry.cause == Cause::WarmUp;
}

/// Calls that load code or prepare graphs, and first launches of graphs, take no time.
ReplayChange withoutWarmUp(const RankContext& work) {
    ReplayChange change;
    change.host = withoutSlices(work, [&work](StringId name, Category category) {
        return work.names.kind(name, category) == HostKind::WarmUp;
    });
    std::vector<TimeSpan> calls;
    for (const HostChange& one : change.host) {
        calls.push_back(one.span);
    }
    const IntervalSet loading = IntervalSet::unionOf(std::move(calls));
    for (const DeviceEvent& event : work.device.events) {
        if (event.launch.valid() && work.threads.uploadsGraph(event.launch)) {
            change.host.push_back({event.call, 0});
        }
    }
    change.latency = [&work, loading](const ReplayEvent& event) {
        const SliceRef call = work.trace->launches.launchOf(event.ref);
        if (!call.valid()) {
            return event.latency_ns;
        }
        // Code is loaded after the call begins, where the latency begins too.
        const DurationNs loaded_ns = event.latency_ns - loading.lengthIn(work.trace->span(call));
        return std::clamp<DurationNs>(loaded_ns, 0, work.threads.uploadsGraph(call) ? kReadyNs : event.latency_ns);
    };
    return change;
}

/// "12.1 ms in cudaGraphLaunch, 3.0 ms in cuModuleLoadData".
std::string callsText(const RuleContext& context) {
    std::map<std::string, DurationNs> times;
    for (const RunStep* const step : context.pricer.steady()) {
        for (const LedgerEntry& entry : context.pricer.entries(step->critical_rank, step->ofCriticalRank())) {
            if (isWarmUp(entry)) {
                times[entry.label] += entry.ns;
            }
        }
    }
    std::string text;
    for (const auto& [name, ns] : times) {
        text += (text.empty() ? "" : ", ") +
                context.sentences.fill("warm-up.call", {{"time", formatDuration(ns)}, {"name", name}});
    }
    return text;
}

Explanation explain(const RuleContext& context, const Price& price) {
    return {.why = context.sentences.fill("warm-up.why", {{"blocked", formatDuration(price.blocked_ns)},
                                                          {"who", whoText(context, price.ranks)},
                                                          {"calls", callsText(context)},
                                                          {"replay", replayText(context, price)},
                                                          {"seen", seenText(context, price)}})};
}

}  // namespace
}  // namespace warm_up

std::vector<Problem> warmUps(const RuleContext& context) {
    using namespace warm_up;
    return {{.id = FindingId::WarmUp,
             .owned = isWarmUp,
             .change = onEachRank(context, [&context](RankPosition rank) { return withoutWarmUp(context.work[rank]); }),
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
