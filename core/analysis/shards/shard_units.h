// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/analysis/facts.h"
#include "core/trace/run.h"

namespace rankscope {

/// The gathers and scatters of shard groups with their units, without causes.
struct ShardUnits {
    std::vector<ShardUnit> units;
    std::vector<ShardCollective> collectives;
    ShardFramework framework = ShardFramework::Unknown;
    std::vector<bool> hooked;  ///< as `collectives`: launched in a range of FSDP
};

/// Finds them. A unit is recognised by a name around the launches; without a name, by the index of the collective among
/// those of its kind, phase and step. O(collectives x depth of calls).
[[nodiscard]] ShardUnits shardUnits(const Run& run, const RunFacts& facts);

/// The step of a rank that contains an instant; nothing between steps. O(log n).
[[nodiscard]] std::optional<RankStepPosition> stepHolding(const RankFacts& rank, TimeNs at_ns);

}  // namespace rankscope
