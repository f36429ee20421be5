// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/replay/run_replay.h"
#include "core/analysis/shards/rank_view.h"
#include "core/base/interval_set.h"

namespace rankscope {

/// Judges why gathers and scatters are exposed: each once, by the last rank to arrive, since the transfer could not
/// begin before. See docs/definitions/shards.md.
class ShardJudge {
  public:
    /// `exposed` is the result of exposedByCollective() for each rank, empty for ranks without shards. All arguments
    /// must outlive it.
    ShardJudge(const RunFacts& facts, const std::vector<RankContext>& work, const RunReplayModel& model,
               const std::vector<std::map<CollectivePosition, IntervalSet>>& exposed, std::size_t threads);

    /// Fills the judged fields of `shards.collectives`; `hooked` as ShardUnits::hooked.
    void judge(const std::vector<bool>& hooked, ShardFacts& shards);
    /// Fills the consumers of the parts of all ranks.
    void addConsumers(ShardFacts& shards) const;

  private:
    /// A gather or scatter on its last rank.
    struct Last {
        std::uint32_t shard = 0;  ///< index in ShardFacts::collectives
        const CollectiveMember* member = nullptr;
        std::optional<RankStepPosition> step;
    };
    void orderOnRanks(const ShardFacts& shards);
    void judgeGather(bool hooked, ShardFacts& shards, const std::vector<Last>& of_rank, std::size_t at) const;
    void judgeScatter(ShardFacts& shards, const std::vector<Last>& of_rank, std::size_t at) const;
    [[nodiscard]] ShardCause causeOfGather(const ShardFacts& shards, const ShardCollective& shard, bool hooked,
                                           const RankView::Held& held) const;
    [[nodiscard]] DurationNs exposedTransfer(const ShardCollective& shard, const CollectiveMember& member) const;
    /// The neighbour in the same step with the same operation, before or after; null if there is none.
    [[nodiscard]] static const Last* neighbour(const ShardFacts& shards, const std::vector<Last>& of_rank,
                                               std::size_t at, int direction);
    [[nodiscard]] TimeNs useOf(const ShardFacts& shards, const Last& gather) const;

    const RunFacts& facts_;
    const std::vector<std::map<CollectivePosition, IntervalSet>>& exposed_;
    std::vector<std::optional<RankView>> views_;  // parallel to Run::ranks; only for ranks with shards
    std::vector<std::vector<Last>> order_;        // by rank: all of its parts, by start
    std::vector<std::size_t> place_;              // by shard: the index of its last rank's part in `order_`
};

}  // namespace rankscope
