// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_steps.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

/// Host time in the DataLoader in one step, outside of other loader waits.
DurationNs hostTimeInLoader(const RankWork& work, const TimeSpan& host) {
    DurationNs total = 0;
    for (const HostThread& thread : work.threads.all()) {
        for (const SliceIndex i : thread.loaders) {
            total += intersect(work.trace->span({thread.track, i}), host).length();
        }
    }
    return total;
}

/// Which of the DataLoader's iterators made the device wait, by the name of its range.
std::vector<std::string> loaderKinds(const std::vector<SeenPart>& parts) {
    bool single = false;
    bool multi = false;
    for (const SeenPart& seen : parts) {
        single = single || seen.part->label.find("_SingleProcess") != std::string::npos;
        multi = multi || seen.part->label.find("_MultiProcessing") != std::string::npos;
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

}  // namespace

void findDataloaderStalls(const RuleContext& context, Diagnosis& diagnosis) {
    const auto in_ledger = [](const LedgerEntry& e) {
        return e.owner == Owner::Blocked && e.cause == Cause::DataLoader;
    };
    const Price price = context.claims.price("dataloader-stall", in_ledger, {.ready_batches = true});
    if (price.share < Pricer::kLeastShare) {
        return;
    }
    Finding finding = makeFinding("dataloader-stall", price, context.facts.ranks.size());
    finding.title = context.advice.title(finding.id);
    std::vector<DurationNs> host_times;
    for (const RunStep* step : context.pricer.ordinary()) {
        const std::uint32_t rank = step->pacing_rank;
        const RankStep& own = context.facts.ranks[rank].steps[step->ofPacingRank()];
        host_times.push_back(hostTimeInLoader(context.work[rank], own.host));
    }
    const DurationNs host_ns = medianOf(std::move(host_times));
    const DurationNs step_ns = context.facts.median_step_ns;
    const auto kinds = loaderKinds(longestParts(context, price.ranks, in_ledger, 16));
    finding.why = "In the median step the host spends " + formatDuration(host_ns) +
                  " in the DataLoader's __next__, and for " + formatDuration(price.blocked_ns) +
                  " of the step the device has nothing to do because of it: it has finished what was launched before, "
                  "and the next batch is not there. With batches ready (" +
                  formatDuration(ReplayChange::kReadyBatchNs) + " for each __next__) a replay of the trace takes " +
                  formatDuration(step_ns - price.saving_ns) + " a step instead of " + formatDuration(step_ns) + ". ";
    if (kinds.size() == 1 && kinds.front() == "single-process") {
        finding.why += "The loader works inside the training process (num_workers=0). ";
    }
    finding.why += "It was seen in " + countText(price.steps.size(), "step") + " of " +
                   std::to_string(context.facts.steps.size()) + ".";
    finding.remedies = context.advice.remedies(finding.id, kinds);
    finding.evidence = evidenceOf(context, price.ranks, in_ledger);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
