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

// How the work of a job is divided among its ranks: facts that findParallelism() makes (find_facts.h).

/// What the user says of groups: a group's description, its name, or "#2" for its place in CollectiveFacts::groups,
/// with its role. Of several that fit a group the last counts.
using RoleChoices = std::vector<std::pair<std::string, Role>>;

/// How often an operation ran in a group, by the phase that launched it.
struct OperationCount {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::size_t forward = 0;
    std::size_t backward = 0;
    std::size_t elsewhere = 0;  ///< in another phase, or in one that the trace does not say
    [[nodiscard]] std::size_t total() const { return forward + backward + elsewhere; }
};

/// What a group is used for beside other things, known by names and operators around the launches of its collectives.
struct GroupPart {
    std::optional<Role> role;                ///< nothing where it is none of the roles, or cannot be determined
    std::string what;                        ///< then what it is for: "embedding tables"; empty where that is not known
    std::vector<OperationCount> operations;  ///< the most frequent first
    std::size_t collectives = 0;
    DurationNs exposed_ns = 0;  ///< its part of GroupRole::exposed_ns

    /// "data", "embedding tables split over several ranks", "cannot tell".
    [[nodiscard]] std::string label() const;
};

/// A process group and what it is for.
struct GroupRole {
    std::optional<std::uint32_t> group;  ///< index in CollectiveFacts::groups; nothing if none of its collectives is
    std::string name;                    ///< as CollectiveGroup, and so the three below
    std::string description;
    std::vector<RankNumber> ranks;
    std::int32_t size = -1;
    std::optional<Role> role;                 ///< nothing where it cannot be determined; evidence says why
    Confidence confidence = Confidence::Low;  ///< of `role`; low where there is none
    bool by_user = false;                     ///< the user says so
    bool whole = true;                        ///< a dimension of the job, not a part or a product of dimensions
    std::vector<OperationCount> operations;   ///< of its collectives, the most frequent first
    std::vector<std::string> evidence;        ///< sentences: which words, which operations, how many
    /// Of a group without a role that is used for several things: each of them, the most frequent first.
    std::vector<GroupPart> parts;
    DurationNs exposed_ns = 0;  ///< its part of RankRoles::exposed, over all ranks
    std::size_t counted = 0;    ///< RankRoles::counted of its recorded members, added up

    /// `exposed_ns` of a step of one of its members, the mean; 0 if none has a step.
    [[nodiscard]] DurationNs exposedAStep() const {
        return counted == 0 ? 0 : exposed_ns / static_cast<DurationNs>(counted);
    }
    /// What people read: the description, else the name, else "#2".
    [[nodiscard]] std::string label() const;
    /// Whether a choice of the user is about it: by its description, its name, or "#2".
    [[nodiscard]] bool isNamed(std::string_view choice) const;
};

/// The difference of each number to the next, where it is always the same and above 0; nothing of fewer than two.
[[nodiscard]] std::optional<std::int32_t> strideOf(const std::vector<RankNumber>& ranks);

/// A dimension of the job's grid: in how many parts the work is divided in one way.
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
    std::vector<std::string> notes;         ///< what cannot be determined of it, and why
    /// By rank, as Run::ranks, and dimension: its place, from 0; nothing where that cannot be determined.
    std::vector<std::vector<std::optional<std::int32_t>>> places;

    /// "data 4 x pipeline 2 x tensor 8"; empty if there is no dimension.
    [[nodiscard]] std::string text() const;
    /// How many ranks the dimension of a role has; 1 if there is none.
    [[nodiscard]] std::int32_t sizeOf(Role role) const;
    /// "dp 1, pp 2, tp 0"; empty if nothing is known of it.
    [[nodiscard]] std::string placeText(RankPosition rank) const;
};

/// The exposed communication of one rank by the roles of the groups that it is in.
struct RankRoles {
    std::vector<RoleTimes> steps;  ///< as RankFacts::steps; each adds up to Partition::exposed_comm_ns of its step
    RoleTimes exposed;             ///< the sum over its complete, steady-state steps, or over all where it has none
    std::size_t counted = 0;       ///< how many steps that are
};

/// How the work of the job is divided among its ranks.
struct ParallelismFacts {
    std::vector<GroupRole> groups;  ///< those of CollectiveFacts in their order, then others whose names show a role
    JobGrid grid;
    std::vector<RankRoles> ranks;  ///< as Run::ranks
    /// As CollectiveFacts::collectives: the role of its group, or of its part of the group.
    std::vector<std::optional<Role>> of_collectives;

    /// What a collective is for; nothing where it cannot be determined.
    [[nodiscard]] std::optional<Role> roleOf(CollectivePosition collective) const {
        return collective < of_collectives.size() ? of_collectives[collective] : std::nullopt;
    }
    /// The role of a group of CollectiveFacts; nothing where it cannot be determined.
    [[nodiscard]] std::optional<Role> roleOfGroup(std::uint32_t group) const {
        return group < groups.size() ? groups[group].role : std::nullopt;
    }
};

}  // namespace rankscope
