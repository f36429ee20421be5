// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shards/shard_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "core/analysis/collectives/collective_names.h"
#include "core/analysis/shards/unit_names.h"

namespace rankscope {
namespace {

std::optional<ShardOperation> operationOf(const Collective& collective) {
    switch (collective.kind) {
        case CollectiveKind::AllGather: return ShardOperation::Gather;
        case CollectiveKind::ReduceScatter: return ShardOperation::Scatter;
        default: return std::nullopt;
    }
}

/// The position of a collective, for units without a name.
struct Place {
    RankPosition rank;
    std::optional<RankStepPosition> step;
    std::uint32_t group = 0;
    ShardOperation operation = ShardOperation::Gather;
    Phase phase = Phase::Other;
    friend auto operator<=>(const Place&, const Place&) = default;
};

std::string placeName(const Place& place, std::size_t nth) {
    const bool phased = place.phase == Phase::Forward || place.phase == Phase::Backward;
    return fmt::format("{} {} of the {}", shardOperationName(place.operation), nth,
                       phased ? phaseName(place.phase) : "step");
}

class UnitFinder {
  public:
    UnitFinder(const Run& run, const RunFacts& facts) : run_(run), facts_(facts) {}

    ShardUnits find() {
        const std::vector<Collective>& all = facts_.collectives.collectives;
        for (CollectivePosition c{0}; c < all.size(); ++c) {
            if (facts_.parallelism.roleOf(c) == Role::Shard && operationOf(all[c]) && !all[c].members.empty()) {
                add(c);
            }
        }
        if (first_rank_ && found_.framework == ShardFramework::Unknown && namesDeepSpeed(*run_.ranks[*first_rank_])) {
            found_.framework = ShardFramework::DeepSpeed;
        }
        return std::move(found_);
    }

  private:
    void add(CollectivePosition position) {
        const Collective& collective = facts_.collectives.collectives[position];
        const auto launched =
            std::ranges::find_if(collective.members, [](const CollectiveMember& m) { return m.launch.valid(); });
        const CollectiveMember& member = launched != collective.members.end() ? *launched : collective.members.front();
        const SliceRef host = member.launch.valid() ? member.launch : member.op;
        const RankFacts& rank = facts_.ranks[member.rank];
        const UnitNames names = host.valid() ? unitNamesAround(*run_.ranks[member.rank], host) : UnitNames();
        ShardCollective shard;
        shard.collective = position;
        shard.operation = *operationOf(collective);
        shard.phase = launchPhase(rank.phases, member.slices.front());
        shard.prefetched = names.prefetched;
        const Place place{member.rank, stepHolding(rank, member.span.start_ns), collective.group, shard.operation,
                          shard.phase};
        const std::size_t nth = ++counted_[place];
        shard.unit = unitOf(names.unit.empty() ? placeName(place, nth) : std::string(names.unit), !names.unit.empty());
        if (shard.operation == ShardOperation::Gather) {
            addSize(collective, found_.units[shard.unit]);
        }
        found_.collectives.push_back(shard);
        found_.hooked.push_back(names.framework != ShardFramework::Unknown);
        found_.framework = found_.framework == ShardFramework::Unknown ? names.framework : found_.framework;
        first_rank_ = first_rank_.value_or(member.rank);
    }

    std::uint32_t unitOf(const std::string& name, bool named) {
        const auto [at, is_new] = units_.try_emplace(name, static_cast<std::uint32_t>(found_.units.size()));
        if (is_new) {
            found_.units.push_back({.name = name, .named = named, .gathered_elements = {}});
        }
        return at->second;
    }

    static void addSize(const Collective& collective, ShardUnit& unit) {
        const std::optional<std::int64_t> size = elementBytes(collective.dtype);
        if (collective.bytes && size && *size > 0) {
            const std::int64_t elements = *collective.bytes / *size;
            unit.gathered_elements = std::max(unit.gathered_elements.value_or(0), elements);
        }
    }

    const Run& run_;
    const RunFacts& facts_;
    ShardUnits found_;
    std::map<std::string, std::uint32_t, std::less<>> units_;
    std::map<Place, std::size_t> counted_;
    std::optional<RankPosition> first_rank_;
};

}  // namespace

ShardUnits shardUnits(const Run& run, const RunFacts& facts) {
    return UnitFinder(run, facts).find();
}

std::optional<RankStepPosition> stepHolding(const RankFacts& rank, TimeNs at_ns) {
    const auto after =
        std::ranges::upper_bound(rank.steps, at_ns, {}, [](const RankStep& s) { return s.span.start_ns; });
    if (after == rank.steps.begin() || std::prev(after)->span.end_ns <= at_ns) {
        return std::nullopt;
    }
    return RankStepPosition(after - rank.steps.begin() - 1);
}

}  // namespace rankscope
