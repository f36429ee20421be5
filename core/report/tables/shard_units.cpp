// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/shard_units.h"

#include <algorithm>
#include <array>
#include <functional>

namespace rankscope::report {

std::vector<UnitTimes> unitTimes(const RunFacts& facts) {
    const ShardFacts& shards = facts.shards;
    std::vector<std::array<UnitTimes, 2>> units(shards.units.size());  // by operation
    for (const ShardCollective& shard : shards.collectives) {
        UnitTimes& unit = units[shard.unit][static_cast<std::size_t>(shard.operation)];
        ++unit.count;
        unit.longest_ns =
            std::max(unit.longest_ns, facts.collectives.collectives[shard.collective].transfer_ns.value_or(0));
    }
    for (const RankShards& rank : shards.ranks) {
        for (const ShardPart& part : rank.parts) {
            const ShardCollective& shard = shards.collectives[part.of];
            UnitTimes& unit = units[shard.unit][static_cast<std::size_t>(shard.operation)];
            unit.exposed[shard.wait_cause] += part.wait_ns;
            unit.exposed[shard.transfer_cause] += part.transfer_ns;
            unit.exposed[ShardCause::Unknown] += part.unsplit_ns;
        }
    }
    std::vector<UnitTimes> found;
    for (std::size_t u = 0; u < units.size(); ++u) {
        for (std::size_t o = 0; o < units[u].size(); ++o) {
            if (UnitTimes& times = units[u][o]; times.count > 0) {
                times.unit = u;
                times.operation = static_cast<ShardOperation>(o);
                found.push_back(times);
            }
        }
    }
    std::ranges::stable_sort(found, std::greater(), [](const UnitTimes& times) { return times.exposed.total(); });
    return found;
}

}  // namespace rankscope::report
