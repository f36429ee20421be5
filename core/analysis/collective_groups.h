// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/analysis/collective_calls.h"
#include "core/trace/run.h"

namespace rankscope {

/// The communicators of a run: which calls of which rank belong to one group. The same group has the same index on all
/// of its members.
class GroupTable {
  public:
    explicit GroupTable(const Run& run);

    /// The group of a call of a rank (an index in Run::ranks); adds it where it is new. Members come from the first of
    /// these that is there (design 4.5): `pg_config` by name, start and stride, the rank list where it is not cut; a
    /// call without any of them belongs to the whole world, a group for each stream.
    [[nodiscard]] std::uint32_t groupOf(std::uint32_t rank, const CollectiveCall& call);
    [[nodiscard]] const std::vector<CollectiveGroup>& groups() const { return groups_; }

  private:
    [[nodiscard]] CollectiveGroup describe(std::uint32_t rank, const CollectiveCall& call) const;
    [[nodiscard]] std::vector<std::int32_t> worldRanks() const;

    const Run& run_;
    std::vector<CollectiveGroup> groups_;
    std::map<std::string, std::uint32_t> by_key_;
};

/// "[0, 1, 5]" as numbers; empty where the list is cut ("...") or is none.
[[nodiscard]] std::vector<std::int32_t> readRankList(std::string_view text);

}  // namespace rankscope
