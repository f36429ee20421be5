// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/host_changes.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

bool isAllocatorCall(const RankWork& work, StringId name, Category category) {
    return work.names.kind(name, category) == HostKind::Allocator;
}

/// How often each allocator call was made inside the steps that count for the price, on the ranks that pace them.
std::map<std::string, std::size_t> callsInSteps(const RuleContext& context) {
    std::map<std::string, std::size_t> calls;
    for (const RunStep* step : context.pricer.ordinary()) {
        const RankWork& work = context.work[step->pacing_rank];
        const TimeSpan host = context.facts.ranks[step->pacing_rank].steps[step->ofPacingRank()].host;
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

/// Which advice fits these calls.
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

std::string callsText(const std::map<std::string, std::size_t>& calls, std::size_t steps) {
    std::string text;
    for (const auto& [name, count] : calls) {
        text += (text.empty() ? "" : ", ") + countText(count, "call") + " of " + name;
    }
    return text + " in " + countText(steps, "step");
}

}  // namespace

void findAllocatorStalls(const RuleContext& context, Diagnosis& diagnosis) {
    const auto in_ledger = [](const LedgerEntry& e) {
        return e.owner == Owner::Blocked && e.cause == Cause::Allocator;
    };
    const auto without_calls = [&context](std::uint32_t rank) {
        const RankWork& work = context.work[rank];
        const auto frees = [](const ReplayWait& wait) { return wait.cause == Cause::Allocator; };
        return ReplayChange{.no_wait = frees, .host = withoutSlices(work, [&work](StringId name, Category category) {
                                                  return isAllocatorCall(work, name, category);
                                              })};
    };
    const Price price = context.claims.price("allocator-stall", in_ledger, without_calls, Reach::BlockedTime);
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    Finding finding = makeFinding("allocator-stall", price, context.facts.ranks.size());
    finding.title = context.advice.title(finding.id);
    const auto calls = callsInSteps(context);
    const std::vector<std::string> kinds = kindsOf(calls);
    finding.why = "The host allocates or frees memory of the device, or pinned memory, inside the step (" +
                  callsText(calls, price.ordinary_steps) + "), and for " + formatDuration(price.blocked_ns) +
                  " of the median step the device has nothing to do meanwhile. ";
    if (std::ranges::find(kinds, "frees") != kinds.end()) {
        finding.why += "To free memory is to wait for the device, so the queue runs empty as well. ";
    }
    finding.why += "Without these calls " + replayText(context, price) + ".";
    finding.remedies = context.advice.remedies(finding.id, kinds);
    finding.evidence = evidenceOf(context, price.ranks, in_ledger);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
