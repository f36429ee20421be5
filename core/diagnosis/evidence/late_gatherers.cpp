// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/gathers.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/collectives/segment_times.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"

namespace rankscope {
namespace {

bool isOfHost(LateBecause cause) {
    switch (cause) {
        case LateBecause::DataLoader:
        case LateBecause::HostSync:
        case LateBecause::BlockingCopy:
        case LateBecause::Allocator:
        case LateBecause::Host: return true;
        default: return false;
    }
}

/// The gathers and scatters of the counted steps, over all ranks.
struct GatherWaits {
    std::size_t all = 0;
    std::size_t last = 0;        ///< at which the late ranks arrived last
    std::size_t late = 0;        ///< of these, late because of their CPUs
    DurationNs waited_ns = 0;    ///< exposed wait in all of them
    DurationNs for_late_ns = 0;  ///< exposed wait for late ranks
};

GatherWaits waitsFor(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    const ShardFacts& shards = context.facts.shards;
    const std::vector<bool> are_late = markRanks(ranks, context.facts.ranks.size());
    std::vector<char> seen(shards.collectives.size());
    GatherWaits waits;
    for (RankPosition r{0}; r < shards.ranks.size(); ++r) {
        for (const ShardPart& part : shards.ranks[r].parts) {
            const ShardCollective& shard = shards.collectives[part.of];
            const RankStep& step = context.facts.ranks[r].steps[part.step];
            if (!shard.last || !step.complete || step.outlier) {
                continue;
            }
            const bool late = are_late[*shard.last] && shard.wait_cause == ShardCause::HostLate;
            waits.waited_ns += part.wait_ns;
            waits.for_late_ns += late ? part.wait_ns : 0;
            if (std::exchange(seen[part.of], 1) == 0) {
                ++waits.all;
                waits.last += are_late[*shard.last] ? 1U : 0U;
                waits.late += late ? 1U : 0U;
            }
        }
    }
    return waits;
}

void explain(const RuleContext& context, const LateRanks& late, const std::vector<RankPosition>& ranks,
             const GatherWaits& waits, Finding& finding) {
    const Sentences& say = context.sentences;
    const DurationNs step_ns = context.facts.pricedStep();
    const std::string who = rankNames(context, ranks);
    finding.title = say.fill("shard-gather-late.rank-title", {{"who", who}});
    finding.why = say.fill("shard-gather-late.rank-why", {{"who", who},
                                                          {"last", formatCount(waits.last)},
                                                          {"by_host", formatCount(waits.late)},
                                                          {"all", formatCount(waits.all)},
                                                          {"waited", formatDuration(waits.for_late_ns)},
                                                          {"cause", lateCauseText(context, late.cause)},
                                                          {"new_step", formatDuration(step_ns - finding.saving_ns)},
                                                          {"step", formatDuration(step_ns)},
                                                          {"late", std::to_string(late.steps.size())},
                                                          {"judged", countText(late.savings.size(), "step")}});
    finding.remedies =
        context.advice.remedies(FindingId::StragglerRank, {std::string(findingCauseName(finding.cause))});
}

}  // namespace

void nameLateGatherers(const RuleContext& context, LateRanks& late) {
    if (late.steps.empty() || !isOfHost(late.cause.because)) {
        return;
    }
    const std::vector<RankPosition> ranks = late.steps.front().ranks;
    const GatherWaits waits = waitsFor(context, ranks);
    if (waits.for_late_ns <= 0 || 2 * waits.for_late_ns <= waits.waited_ns) {
        return;
    }
    late.id = FindingId::ShardGatherLate;
    late.explain = [&context, ranks, waits](const LateRanks& of, Finding& finding) {
        explain(context, of, ranks, waits, finding);
    };
}

}  // namespace rankscope
