// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/analysis/collectives/collective_calls.h"
#include "core/trace/run.h"

namespace rankscope {

/// Communicators are smaller than this; a larger number in a file means damage.
inline constexpr std::int32_t kMostGroupRanks = 1 << 18;

/// The communicators of a run: which calls of which rank belong to one group. A group has the same index on all of its
/// members.
class GroupTable {
  public:
    explicit GroupTable(const Run& run);

    /// The group of a call of a rank; added if it is new. Its members come from the first of these that is recorded
    /// (design 4.5): `pg_config` by name; start and stride; the rank list, if it is not cut. A call without any of them
    /// belongs to the whole world, one group per stream. The members are unknown if the size or the world exceeds
    /// kMostGroupRanks. O(log n), except for the first call that records its group in this way.
    [[nodiscard]] std::uint32_t groupOf(RankPosition rank, const CollectiveCall& call);
    [[nodiscard]] const std::vector<CollectiveGroup>& groups() const { return groups_; }

  private:
    /// What a call of a rank records about its group: calls with equal records belong to one group.
    struct Recorded {
        RankPosition rank;  // the rank whose texts these are
        std::uint32_t stream = 0;
        StringId name;
        StringId ranks;
        std::int32_t size = -1;
        std::int32_t start = -1;
        std::int32_t stride = -1;
        friend auto operator<=>(const Recorded&, const Recorded&) = default;
    };
    /// The identity of a group: name, members (an index in member_lists_), size, and what distinguishes groups of
    /// unknown members.
    using Key = std::tuple<std::string, std::uint32_t, std::int32_t, std::string>;
    using Configured = std::unordered_map<std::string_view, std::vector<const ProcessGroup*>>;

    [[nodiscard]] std::uint32_t resolve(const Recorded& recorded, const CollectiveCall& call);
    [[nodiscard]] const ProcessGroup* configured(RankPosition rank, std::string_view name, std::int32_t size);
    /// The index of these members, sorted, in member_lists_.
    [[nodiscard]] std::uint32_t intern(std::vector<RankNumber> ranks);
    [[nodiscard]] std::uint32_t stridedRanks(std::int32_t start, std::int32_t stride, std::int32_t size);
    [[nodiscard]] std::uint32_t listedRanks(std::string_view text);
    [[nodiscard]] std::uint32_t worldRanks();

    const Run& run_;
    std::vector<CollectiveGroup> groups_;
    std::map<Recorded, std::uint32_t> of_recorded_;
    std::map<Key, std::uint32_t> by_key_;
    std::vector<std::optional<Configured>> configured_;  // by rank, once requested
    std::map<std::vector<RankNumber>, std::uint32_t> list_of_ranks_;
    std::vector<const std::vector<RankNumber>*> member_lists_;  // keys of list_of_ranks_; the first is empty
    std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, std::uint32_t> strided_;
    std::unordered_map<std::string_view, std::uint32_t> listed_;
    std::optional<std::uint32_t> world_;
};

/// "[0, 1, 5]" as numbers; empty if the list is cut ("...") or is not a list.
[[nodiscard]] std::vector<RankNumber> readRankList(std::string_view text);

}  // namespace rankscope
