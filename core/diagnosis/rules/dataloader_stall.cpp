// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/price_remedy.h"

namespace rankscope {
namespace dataloader_stall {
namespace {

/// Which iterators of the DataLoader the device waited for, by the name of their range: PyTorch's
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

Explanation explain(const RuleContext& context, const LedgerFilter& owned, const Price& price) {
    const std::vector<std::string> kinds = loaderKinds(longestParts(context, price.ranks, owned, 16));
    const bool single_process = isSingleProcess(kinds);
    const Sentences& say = context.sentences;
    return {.why = say.fill("dataloader-stall.why",
                            {{"host", formatDuration(hostTimeInLoaders(context))},
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
        return costOfWorkers(context, price, ready, {!single, hostTimeInLoaders(context)});
    };
    return {{.id = FindingId::DataloaderStall,
             .owned = owned,
             .change = ready,
             .claim = Claim::Rest,
             .cost = cost,
             .explain = [&context, owned](const Price& price) { return explain(context, owned, price); }}};
}

}  // namespace rankscope
