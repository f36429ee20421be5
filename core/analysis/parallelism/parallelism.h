// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/confidence.h"
#include "core/analysis/parallelism/role.h"
#include "core/base/ids.h"

namespace rankscope {

// How the work of a job is divided among its ranks: facts from findParallelism() (find_facts.h).

/// The roles that the user assigns to groups: a group's description, its name, or "#2" for its index in
/// CollectiveFacts::groups, with its role. Of several that fit a group the last one wins.
using RoleChoices = std::vector<std::pair<std::string, Role>>;

/// How often an operation ran in a group, by the phase that launched it.
struct OperationCount {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::size_t forward = 0;
    std::size_t backward = 0;
    std::size_t elsewhere = 0;  ///< in another phase, or in an unknown one
    [[nodiscard]] std::size_t total() const { return forward + backward + elsewhere; }
};

/// One of several uses of a group, known by names and operators around the launches of its collectives.
struct GroupPart {
    std::optional<Role> role;                ///< nothing if it is not a role, or is unknown
    std::string what;                        ///< its use, if there is no role: "embedding tables"; empty if unknown
    std::vector<OperationCount> operations;  ///< the most frequent first
    std::size_t collectives = 0;
    DurationNs exposed_ns = 0;  ///< its part of GroupRole::exposed_ns

    /// "data", "embedding tables split over several ranks", "cannot tell".
    [[nodiscard]] std::string label() const;
};

/// A process group and what it is for.
struct GroupRole {
    std::optional<std::uint32_t> group;  ///< index in CollectiveFacts::groups; nothing if none of its collectives are
                                         ///< recorded
    std::string name;                    ///< as in CollectiveGroup, like the next three
    std::string description;
    std::vector<RankNumber> ranks;
    std::int32_t size = -1;
    std::optional<Role> role;                 ///< nothing if it is unknown; evidence says why
    Confidence confidence = Confidence::Low;  ///< confidence in `role`; low if there is none
    bool by_user = false;                     ///< the user assigned it
    bool whole = true;                        ///< a full dimension of the job, not a part or a product of dimensions
    std::vector<OperationCount> operations;   ///< what its collectives do, the most frequent first
    std::vector<std::string> evidence;        ///< sentences: which words, which operations, how many
    /// The uses of a group without a role that has several, the most frequent first.
    std::vector<GroupPart> parts;
    DurationNs exposed_ns = 0;  ///< its part of RankRoles::exposed, over all ranks
    std::size_t counted = 0;    ///< RankRoles::counted of its recorded members, added up

    /// The mean `exposed_ns` per step of a member; 0 if no member has a step.
    [[nodiscard]] DurationNs exposedAStep() const {
        return counted == 0 ? 0 : exposed_ns / static_cast<DurationNs>(counted);
    }
    /// For people: the description, else the name, else "#2".
    [[nodiscard]] std::string label() const;
    /// Whether a choice of the user refers to this group: by its description, its name, or "#2".
    [[nodiscard]] bool isNamed(std::string_view choice) const;
};

/// The constant difference between consecutive numbers, if there is one above 0; nothing with fewer than two.
[[nodiscard]] std::optional<std::int32_t> strideOf(const std::vector<RankNumber>& ranks);

/// A dimension of the job's grid: one way in which the work is divided, and into how many parts.
struct GridDimension {
    Role role = Role::Data;
    std::int32_t size = 0;
    std::optional<std::int32_t> stride;  ///< from one member's number to the next; nothing if that differs
};

/// The places of the ranks in dimensions.
struct JobGrid {
    std::vector<GridDimension> dimensions;  ///< in the order of Role, the outermost first
    std::int32_t world_size = 0;            ///< 0 if unknown
    bool complete = false;                  ///< the sizes of the dimensions multiply to the world size
    std::vector<std::string> notes;         ///< what is unknown about it, and why
    /// By rank, as Run::ranks, and dimension: its place, from 0; nothing if unknown.
    std::vector<std::vector<std::optional<std::int32_t>>> places;

    /// "data 4 x pipeline 2 x tensor 8"; empty if there is no dimension.
    [[nodiscard]] std::string text() const;
    /// The number of places in the dimension of a role; 1 if there is none.
    [[nodiscard]] std::int32_t sizeOf(Role role) const;
    /// "dp 1, pp 2, tp 0"; empty if no place is known.
    [[nodiscard]] std::string placeText(RankPosition rank) const;
};

/// The exposed communication of one rank by the roles of the groups that it is in.
struct RankRoles {
    std::vector<RoleTimes> steps;  ///< parallel to RankFacts::steps; each adds up to Partition::exposed_comm_ns of its
                                   ///< step
    RoleTimes exposed;             ///< the sum over its complete, steady-state steps, or over all steps if it has none
    std::size_t counted = 0;       ///< the number of these steps
};

/// How the work of the job is divided among its ranks.
struct ParallelismFacts {
    std::vector<GroupRole> groups;  ///< in the order of CollectiveFacts, then other groups whose names show a role
    JobGrid grid;
    std::vector<RankRoles> ranks;  ///< parallel to Run::ranks
    /// As CollectiveFacts::collectives: the role of its group, or of its part of the group.
    std::vector<std::optional<Role>> of_collectives;

    /// The role of a collective; nothing if unknown.
    [[nodiscard]] std::optional<Role> roleOf(CollectivePosition collective) const {
        return collective < of_collectives.size() ? of_collectives[collective] : std::nullopt;
    }
    /// The role of a group of CollectiveFacts; nothing if unknown.
    [[nodiscard]] std::optional<Role> roleOfGroup(std::uint32_t group) const {
        return group < groups.size() ? groups[group].role : std::nullopt;
    }
};

}  // namespace rankscope
