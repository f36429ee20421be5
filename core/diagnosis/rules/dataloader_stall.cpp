// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/price_remedy.h"

namespace rankscope {
namespace dataloader_stall {
namespace {

/// Host time in the DataLoader in one step, outside of other loader waits.
DurationNs hostTimeInLoader(const RankContext& work, const TimeSpan& host) {
    DurationNs total = 0;
    for (const HostThread& thread : work.threads.all()) {
        for (const SliceIndex i : thread.loaders) {
            total += intersect(work.trace->span({thread.track, i}), host).length();
        }
    }
    return total;
}

/// Which of the DataLoader's iterators made the device wait, by the name of its range: PyTorch's own
/// (_SingleProcessDataLoaderIter) or torchdata's (_StatefulSingleProcessDataLoaderIter).
std::vector<std::string> loaderKinds(const std::vector<SeenPart>& parts) {
    bool single = false;
    bool multi = false;
    for (const SeenPart& seen : parts) {
        single = single || seen.part->label.find("SingleProcess") != std::string::npos;
        multi = multi || isOfWorkers(seen.part->label);
    }
    std::vector<std::string> kinds;
    if (single || !multi) {
        kinds.emplace_back("single-process");
    }
    if (multi || !single) {
        kinds.emplace_back("multi-process");
    }
    return kinds;
}

bool isSingleProcess(const std::vector<std::string>& kinds) {
    return kinds.size() == 1 && kinds.front() == "single-process";
}

/// Host time in the DataLoader in the step that prices are of, on the critical rank.
DurationNs baselineHostTime(const RuleContext& context) {
    std::vector<DurationNs> times;
    for (const RunStep* step : context.pricer.steady()) {
        const RankPosition rank = step->critical_rank;
        const RankStep& own = context.facts.ranks[rank].steps[step->ofCriticalRank()];
        times.push_back(hostTimeInLoader(context.work[rank], own.host));
    }
    return typicalOf(context.facts.basis, std::move(times));
}

Explanation explain(const RuleContext& context, const LedgerFilter& owned, const Price& price) {
    const std::vector<std::string> kinds = loaderKinds(longestParts(context, price.ranks, owned, 16));
    const bool single_process = isSingleProcess(kinds);
    const Sentences& say = context.sentences;
    return {.why = say.fill("dataloader-stall.why",
                            {{"host", formatDuration(baselineHostTime(context))},
                             {"blocked", formatDuration(price.blocked_ns)},
                             {"ready", formatDuration(ReplayChange::kReadyBatchNs)},
                             {"replay", replayText(context, price)},
                             {"single_process", single_process ? say.fill("dataloader-stall.single-process", {}) : ""},
                             {"seen", seenText(context, price)}}),
            .conditions = kinds};
}

}  // namespace
}  // namespace dataloader_stall

std::vector<Problem> dataloaderStalls(const RuleContext& context) {
    using namespace dataloader_stall;
    const LedgerFilter owned = [](const LedgerEntry& e) {
        return e.owner == Owner::Blocked && e.cause == Cause::DataLoader;
    };
    const RunChange ready = onAllRanks({.ready_batches = true});
    const auto cost = [&context, owned, ready](const Price& price) {
        const bool single = isSingleProcess(loaderKinds(longestParts(context, price.ranks, owned, 16)));
        return costOfWorkers(context, price, ready, {!single, baselineHostTime(context)});
    };
    return {{.id = FindingId::DataloaderStall,
             .owned = owned,
             .change = ready,
             .claim = Claim::Rest,
             .cost = cost,
             .explain = [&context, owned](const Price& price) { return explain(context, owned, price); }}};
}

}  // namespace rankscope
