// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/diagnosis/evidence/baseline_work.h"
#include "core/whatif/change.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

/// One rank in all steps of the run that it has.
std::vector<LateStep> allStepsOf(const RuleContext& context, RankPosition rank) {
    std::vector<LateStep> steps;
    for (RunStepPosition s{0}; s < context.facts.steps.size(); ++s) {
        if (context.facts.steps[s].of(rank)) {
            steps.push_back({s, {rank}});
        }
    }
    return steps;
}

bool hasPeers(const RuleContext& context, RankPosition rank) {
    const StragglerFacts& facts = context.facts.stragglers;
    return rank < facts.peers_of.size() && facts.peers_of[rank] < facts.peers.size() &&
           facts.peers[facts.peers_of[rank]].size() > 1;
}

RunChange asMedian(const RuleContext& context, RankPosition rank) {
    return baselineWorkOn(context, allStepsOf(context, rank)).change;
}

std::optional<Error> noRanksToCompare(const RuleContext& context) {
    if (context.facts.ranks.size() < 2) {
        return cannotTell("The run has one rank: there are no others to compare it with.");
    }
    if (!context.pricer.coupled()) {
        return cannotTell("The ranks cannot be replayed together, so it is unknown how long others wait for a rank.");
    }
    return std::nullopt;
}

}  // namespace

Result<WhatIfEffect> likeMedian(const RuleContext& context, const WhatIfValues& values) {
    if (const std::optional<Error> refused = noRanksToCompare(context)) {
        return *refused;
    }
    for (RankPosition r{0}; r < context.run.ranks.size(); ++r) {
        const std::optional<RankNumber>& number = context.run.ranks[r]->rank;
        if (!number || number->value != values.count) {
            continue;
        }
        if (!hasPeers(context, r)) {
            return cannotTell("No other rank does the same work as rank " + std::to_string(values.count) + ".");
        }
        WhatIfEffect effect;
        effect.replay = asMedian(context, r);
        return effect;
    }
    return cannotTell("The run has no rank " + std::to_string(values.count) + ".");
}

Result<WhatIfEffect> equalRanks(const RuleContext& context, const WhatIfValues& /*values*/) {
    if (const std::optional<Error> refused = noRanksToCompare(context)) {
        return *refused;
    }
    const auto of_ranks = std::make_shared<std::vector<ReplayChange>>();
    bool any = false;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        const bool compared = hasPeers(context, r);
        of_ranks->push_back(compared ? asMedian(context, r).of_rank(r) : ReplayChange());
        any = any || compared;
    }
    if (!any) {
        return cannotTell("No two ranks are known to do the same work in the same steps.");
    }
    WhatIfEffect effect;
    effect.replay.of_rank = [of_ranks](RankPosition rank) { return (*of_ranks)[rank]; };
    return effect;
}

}  // namespace rankscope
