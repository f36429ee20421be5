// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <vector>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/diagnosis/prices/forecast_buckets.h"
#include "core/diagnosis/prices/price_remedy.h"
#include "core/whatif/change.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

/// A part of the priced step, on the critical rank.
DurationNs todaysPart(const RuleContext& context, DurationNs Partition::*part) {
    std::vector<DurationNs> parts;
    for (const RunStep* const step : context.pricer.steady()) {
        const RankStep& own = context.facts.ranks[step->critical_rank].steps[step->ofCriticalRank()];
        parts.push_back(own.partition ? (*own.partition).*part : 0);
    }
    return typicalOf(context.facts.basis, std::move(parts));
}

/// The transfers of a step of the run, one after the other: of the rank with most.
DurationNs transfersIn(const RunReplayModel& model, const RunStep& step) {
    DurationNs most_ns = 0;
    for (RankPosition r{0}; r < model.ranks.size(); ++r) {
        const std::optional<RankStepPosition> own = step.of(r);
        DurationNs sum_ns = 0;
        for (const ReplayEvent& event : model.ranks[r].events) {
            const bool here = own && event.slot.step() == own && event.rendezvous != ReplayEvent::kNone;
            sum_ns += here ? model.rendezvous[event.rendezvous].transfer_ns : 0;
        }
        most_ns = std::max(most_ns, sum_ns);
    }
    return most_ns;
}

DurationNs todaysTransfers(const RuleContext& context) {
    std::vector<DurationNs> transfers;
    for (const RunStep* const step : context.pricer.steady()) {
        transfers.push_back(transfersIn(context.pricer.model(), *step));
    }
    return typicalOf(context.facts.basis, std::move(transfers));
}

}  // namespace

Result<WhatIfEffect> perfectOverlap(const RuleContext& context, const WhatIfValues& /*values*/) {
    if (std::optional<Error> refused = refuseWithoutTransfers(context)) {
        return *std::move(refused);
    }
    WhatIfEffect effect;
    effect.transfer = [](CollectivePosition /*collective*/, DurationNs /*transfer_ns*/) { return DurationNs{0}; };
    effect.added = [&context, transfers_ns = todaysTransfers(context)](const PlayedChange& played) {
        const DurationNs exposed_ns = todaysPart(context, &Partition::exposed_comm_ns);
        const DurationNs hidden_ns = std::clamp<DurationNs>(played.saved_ns, 0, exposed_ns);
        const RemedyCost cost = costOfOverlap(context, RemedyKind::Overlap, hidden_ns, hidden_ns);
        // A step is not shorter than what it sends.
        const DurationNs step_ns = context.facts.pricedStep() - played.saved_ns;
        const DurationNs least_ns = std::max<DurationNs>(0, transfers_ns - step_ns);
        return AddedTime{std::max(least_ns, cost.low_ns), std::max(least_ns, cost.likely_ns),
                         std::max(least_ns, cost.high_ns)};
    };
    effect.own_contention = true;
    effect.at_most = true;
    return effect;
}

Result<WhatIfEffect> noOverlap(const RuleContext& context, const WhatIfValues& /*values*/) {
    if (todaysPart(context, &Partition::overlap_ns) <= 0) {
        return cannotTell("No computation hides communication in this run.");
    }
    WhatIfEffect effect;
    effect.replay = onAllRanks({.in_sequence = true});
    return effect;
}

Result<WhatIfEffect> otherBuckets(const RuleContext& context, const WhatIfValues& values) {
    const BucketChange buckets = changeBuckets(context, values.count);
    if (!buckets.reason.empty()) {
        return cannotTell(buckets.reason);
    }
    WhatIfEffect effect;
    effect.replay = buckets.change;
    effect.notes.push_back("A step then sends " + formatCounted(buckets.buckets, "bucket") + ".");
    effect.own_contention = true;
    effect.added = [of_replay_ns = buckets.of_replay_ns, error_ns = buckets.error_ns](const PlayedChange& /*played*/) {
        return AddedTime{of_replay_ns - error_ns, of_replay_ns, of_replay_ns + error_ns};
    };
    return effect;
}

}  // namespace rankscope
