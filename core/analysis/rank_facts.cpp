// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/rank_facts.h"

#include <utility>

#include "core/analysis/gap_causes.h"
#include "core/analysis/gaps.h"
#include "core/analysis/ledger.h"
#include "core/analysis/partition.h"
#include "core/analysis/rank_steps.h"

namespace rankscope {

AnalysedRank analyseRank(std::shared_ptr<const RankTrace> trace, const NameRules& rules) {
    const RankTrace& rank = *trace;
    RankFacts facts;
    facts.work_classes = classifyWork(rank, rules);
    HostNames names(rank);
    HostThreads threads(rank, names);
    RankWork work{.trace = std::move(trace),
                  .names = std::move(names),
                  .threads = std::move(threads),
                  .device = collectDeviceWork(rank, facts.work_classes),
                  .marks = findStepMarks(rank)};
    facts.device = work.device.device;
    facts.other_devices = work.device.other_devices;
    facts.compute = work.device.compute;
    facts.communication = work.device.communication;
    facts.copy = work.device.copy;
    facts.step_source = work.marks.source;
    facts.main_thread = work.marks.thread;
    facts.steps = findRankSteps(work);

    std::vector<LedgerEntry> ledger;
    if (facts.device >= 0) {
        const Partitioner partitioner(work.device);
        const GapCauses causes(rank, work.names, work.threads, work.marks.thread);
        GapFinder finder(rank, work.device, causes);
        for (std::uint32_t s = 0; s < facts.steps.size(); ++s) {
            RankStep& step = facts.steps[s];
            step.partition = partitioner.of(step.span);
            step.gaps = finder.gapsIn(step.span);
            for (const Gap& gap : step.gaps) {
                for (const GapPart& part : gap.parts) {
                    step.idle_causes[part.cause] += part.span.length();
                }
            }
            appendLedger(rank, work.device, partitioner, step, s, ledger);
        }
    }
    return {std::move(work), std::move(facts), std::move(ledger)};
}

}  // namespace rankscope
