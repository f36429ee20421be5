// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/host_changes.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace allocator_stall {
namespace {

bool isAllocatorCall(const RankContext& work, StringId name, Category category) {
    return work.names.kind(name, category) == HostKind::Allocator;
}

/// Counts the allocator calls by name, in the steps that count for prices, on their critical ranks.
std::map<std::string, std::size_t> callsInSteps(const RuleContext& context) {
    std::map<std::string, std::size_t> calls;
    for (const RunStep* step : context.pricer.steady()) {
        const RankContext& work = context.work[step->critical_rank];
        const TimeSpan host = context.facts.ranks[step->critical_rank].steps[step->ofCriticalRank()].host;
        for (const HostThread& thread : work.threads.all()) {
            if (!thread.track.valid()) {
                continue;
            }
            const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
            const auto first = std::ranges::lower_bound(slices.start_ns, host.start_ns) - slices.start_ns.begin();
            for (auto i = static_cast<SliceIndex>(first); i < slices.size() && slices.start_ns[i] < host.end_ns; ++i) {
                if (isAllocatorCall(work, slices.name[i], slices.category[i])) {
                    ++calls[std::string(work.trace->strings.view(slices.name[i]))];
                }
            }
        }
    }
    return calls;
}

bool frees(std::string_view call) {
    return call.find("Free") != std::string_view::npos || call.find("Unmap") != std::string_view::npos ||
           call.find("MemRelease") != std::string_view::npos;
}

bool isOfHostMemory(std::string_view call) {
    return call.find("Host") != std::string_view::npos;
}

/// Which advice applies to these calls.
std::vector<std::string> kindsOf(const std::map<std::string, std::size_t>& calls) {
    std::vector<std::string> kinds;
    const auto add = [&](const char* kind, const auto& is_one) {
        if (std::ranges::any_of(calls, [&](const auto& call) { return is_one(call.first); })) {
            kinds.emplace_back(kind);
        }
    };
    add("frees", [](std::string_view call) { return frees(call) && !isOfHostMemory(call); });
    add("device", [](std::string_view call) { return !isOfHostMemory(call); });
    add("pinned", isOfHostMemory);
    return kinds;
}

std::string callsText(const RuleContext& context, const std::map<std::string, std::size_t>& calls, std::size_t steps) {
    std::string text;
    for (const auto& [name, count] : calls) {
        text += (text.empty() ? "" : ", ") + countText(count, "call") + " of " + name;
    }
    return context.sentences.fill("allocator-stall.calls", {{"calls", text}, {"steps", countText(steps, "step")}});
}

Explanation explain(const RuleContext& context, const Price& price) {
    const Sentences& say = context.sentences;
    const std::map<std::string, std::size_t> calls = callsInSteps(context);
    const std::vector<std::string> kinds = kindsOf(calls);
    const bool frees_device = std::ranges::find(kinds, "frees") != kinds.end();
    return {
        .why = say.fill("allocator-stall.why", {{"calls", callsText(context, calls, price.steady_steps)},
                                                {"blocked", formatDuration(price.blocked_ns)},
                                                {"frees", frees_device ? say.fill("allocator-stall.frees", {}) : ""},
                                                {"replay", replayText(context, price)}}),
        .conditions = kinds};
}

}  // namespace
}  // namespace allocator_stall

std::vector<Problem> allocatorStalls(const RuleContext& context) {
    using namespace allocator_stall;
    const ChangeOfRank without_calls = [&context](RankPosition rank) {
        const RankContext& work = context.work[rank];
        const auto gives_back = [](const ReplayWait& wait) { return wait.cause == Cause::Allocator; };
        const auto is_call = [&work](StringId name, Category category) {
            return isAllocatorCall(work, name, category);
        };
        return ReplayChange{.no_wait = gives_back, .host = withoutSlices(work, is_call)};
    };
    return {{.id = FindingId::AllocatorStall,
             .owned = [](const LedgerEntry& e) { return e.owner == Owner::Blocked && e.cause == Cause::Allocator; },
             .change = onEachRank(context, without_calls),
             .reach = Reach::BlockedTime,
             .explain = [&context](const Price& price) { return explain(context, price); }}};
}

}  // namespace rankscope
