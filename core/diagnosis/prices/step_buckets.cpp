// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/step_buckets.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/analysis/collectives/ddp_messages.h"
#include "core/analysis/steps/step_bounds.h"
#include "core/diagnosis/prices/gradient_buckets.h"

namespace rankscope {
namespace {

bool isBucket(const RuleContext& context, const Collective& collective) {
    const CollectiveMember& first = collective.members.front();
    return mayBeOfDdp(context.facts, collective, first.rank) && collective.complete && collective.transfer_ns &&
           collective.bytes && collective.dtype != "Int" &&
           std::ranges::all_of(collective.members, [](const auto& member) { return member.launch.valid(); }) &&
           isSentByReducer(*context.work[first.rank].trace, context.facts.ranks[first.rank], first.launch);
}

}  // namespace

std::vector<StepBucket> stepBuckets(const RuleContext& context) {
    std::map<std::pair<RankPosition, RankStepPosition>, RunStepPosition> run_steps;
    for (RunStepPosition s; s < context.facts.steps.size(); ++s) {
        const RunStep& step = context.facts.steps[s];
        for (RankPosition r{0}; r < step.by_rank.size(); ++r) {
            if (const std::optional<RankStepPosition> own = step.of(r)) {
                run_steps[{r, *own}] = s;
            }
        }
    }
    std::vector<StepBucket> buckets;
    const std::vector<Collective>& collectives = context.facts.collectives.collectives;
    for (CollectivePosition c{0}; c < collectives.size(); ++c) {
        if (!isBucket(context, collectives[c])) {
            continue;
        }
        const CollectiveMember& first = collectives[c].members.front();
        const auto own = slotOf(context.work[first.rank].marks.marks, first.call.start_ns).step();
        const auto step = own ? run_steps.find({first.rank, *own}) : run_steps.end();
        if (step != run_steps.end()) {
            buckets.push_back({c, step->second});
        }
    }
    std::ranges::stable_sort(buckets, {}, [&](const StepBucket& b) {
        return std::tuple(b.step, collectives[b.collective].group, std::string_view(collectives[b.collective].dtype));
    });
    return buckets;
}

bool goTogether(const RunFacts& facts, const StepBucket& a, const StepBucket& b) {
    const std::vector<Collective>& collectives = facts.collectives.collectives;
    return a.step == b.step && collectives[a.collective].group == collectives[b.collective].group &&
           collectives[a.collective].dtype == collectives[b.collective].dtype;
}

}  // namespace rankscope
