// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/find_facts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/analysis/collectives/exposed_communication.h"
#include "core/analysis/parallelism/role_times.h"
#include "core/analysis/shards/shard_causes.h"
#include "core/analysis/shards/shard_units.h"
#include "core/analysis/shards/zero_stage.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

using ExposedSets = std::map<CollectivePosition, IntervalSet>;

bool isCounted(const RankStep& step) {
    return step.complete && !step.outlier;
}

/// Makes the parts and the sums of one rank, without causes.
class RankSummer {
  public:
    RankSummer(const RunFacts& facts, const ShardFacts& shards, RankPosition rank, const ExposedSets& exposed)
        : facts_(facts), shards_(shards), rank_(rank), exposed_(exposed) {}

    RankShards sum(const std::vector<OwnPart>& parts) {
        sums_.steps.resize(facts_.ranks[rank_].steps.size());
        for (const OwnPart& part : parts) {
            add(part);
        }
        std::ranges::stable_sort(sums_.parts, {}, [](const ShardPart& part) { return part.span.start_ns; });
        const std::vector<RankStep>& steps = facts_.ranks[rank_].steps;
        const bool any_steady = std::ranges::any_of(steps, isCounted);
        for (std::size_t s = 0; s < steps.size(); ++s) {
            if (!any_steady || isCounted(steps[s])) {
                sums_.counted.gathers += sums_.steps[s].gathers;
                sums_.counted.scatters += sums_.steps[s].scatters;
                sums_.counted.other_ns += sums_.steps[s].other_ns;
            }
        }
        return std::move(sums_);
    }

  private:
    void add(const OwnPart& own) {
        const Collective& collective = facts_.collectives.collectives[own.collective];
        const auto set = exposed_.find(own.collective);
        const ShardCollective* const shard = shards_.of(own.collective);
        const CollectiveMember& member = collective.members[own.member];
        const std::vector<RankStep>& steps = facts_.ranks[rank_].steps;
        const auto first = std::ranges::upper_bound(steps, member.span.start_ns, {},
                                                    [](const RankStep& step) { return step.span.end_ns; });
        for (RankStepPosition s(first - steps.begin()); s < steps.size() && steps[s].span.start_ns < member.span.end_ns;
             ++s) {
            const IntervalSet exposed = set == exposed_.end() ? IntervalSet() : set->second.clip(steps[s].span);
            if (shard == nullptr) {
                sums_.steps[s].other_ns += exposed.length();
            } else {
                addPart(collective, member, *shard, s, exposed);
            }
        }
    }

    void addPart(const Collective& collective, const CollectiveMember& member, const ShardCollective& shard,
                 RankStepPosition step, const IntervalSet& exposed) {
        ShardPart part{.of = static_cast<std::uint32_t>(&shard - shards_.collectives.data()),
                       .step = step,
                       .call = member.launch.valid() ? member.call : TimeSpan(),
                       .span = member.span,
                       .kernel = member.slices.front(),
                       .consumer = {},
                       .consumer_wait_ns = {}};
        if (collective.transfer_ns) {
            const TimeNs begin_ns = member.span.end_ns - *collective.transfer_ns;
            part.transfer_ns = exposed.lengthIn({begin_ns, member.span.end_ns});
            part.wait_ns = exposed.length() - part.transfer_ns;
        } else {
            part.unsplit_ns = exposed.length();
        }
        ShardTimes& times =
            shard.operation == ShardOperation::Gather ? sums_.steps[step].gathers : sums_.steps[step].scatters;
        times[shard.wait_cause] += part.wait_ns;
        times[shard.transfer_cause] += part.transfer_ns;
        times[ShardCause::Unknown] += part.unsplit_ns;
        sums_.parts.push_back(part);
    }

    const RunFacts& facts_;
    const ShardFacts& shards_;
    RankPosition rank_;
    const ExposedSets& exposed_;
    RankShards sums_;
};

/// Sums the waits for each rank, over all ranks.
void addLateness(const RunFacts& facts, ShardFacts& shards) {
    for (const ShardCollective& shard : shards.collectives) {
        if (shard.last) {
            ++shards.ranks[*shard.last].last;
        }
    }
    for (std::size_t r = 0; r < shards.ranks.size(); ++r) {
        const std::vector<RankStep>& steps = facts.ranks[r].steps;
        const bool any_steady = std::ranges::any_of(steps, isCounted);
        for (const ShardPart& part : shards.ranks[r].parts) {
            const std::optional<RankPosition> last = shards.collectives[part.of].last;
            if (last && (!any_steady || isCounted(steps[part.step]))) {
                shards.ranks[*last].late_ns += part.wait_ns;
            }
        }
    }
}

}  // namespace

ShardFacts findShards(const Run& run, const RunFacts& facts, const std::vector<RankContext>& work,
                      const RunReplayModel& model, std::size_t threads) {
    ShardUnits units = shardUnits(run, facts);
    ShardFacts shards;
    if (units.collectives.empty()) {
        return shards;
    }
    const std::vector<std::vector<OwnPart>> all_parts = partsOfRanks(facts.collectives, run.ranks.size());
    std::vector<std::vector<OwnPart>> parts(all_parts.size());
    std::vector<ExposedSets> exposed(all_parts.size());
    forEachIndex(all_parts.size(), threads, [&](std::size_t r) {
        std::ranges::copy_if(all_parts[r], std::back_inserter(parts[r]), [&](const OwnPart& part) {
            return facts.parallelism.roleOf(part.collective) == Role::Shard;
        });
        if (!parts[r].empty()) {
            exposed[r] = exposedByCollective(facts.ranks[r], facts.collectives, all_parts[r], *run.ranks[r]);
        }
    });
    shards.framework = units.framework;
    shards.units = std::move(units.units);
    shards.collectives = std::move(units.collectives);
    ShardJudge judge(facts, work, model, exposed, threads);
    judge.judge(units.hooked, shards);
    shards.ranks.resize(run.ranks.size());
    forEachIndex(parts.size(), threads, [&](std::size_t r) {
        shards.ranks[r] = RankSummer(facts, shards, RankPosition(r), exposed[r]).sum(parts[r]);
    });
    judge.addConsumers(shards);
    addLateness(facts, shards);
    shards.stage = zeroStage(facts, shards);
    return shards;
}

}  // namespace rankscope
