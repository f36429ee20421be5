// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/parallelism/group_use.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/analysis/parallelism/role_names.h"
#include "core/trace/run.h"

namespace rankscope {

/// The roles of the groups of `facts`, given their uses, then of groups that only `pg_config` has and whose names show
/// a role. The user's choices override what is found. See docs/definitions/parallelism.md.
[[nodiscard]] std::vector<GroupRole> rolesOfGroups(const Run& run, const CollectiveFacts& facts,
                                                   const std::vector<GroupUse>& uses, const RoleNames& names,
                                                   const RoleChoices& choices);

/// The number of ranks of the job, recorded or not; 0 if no file has it.
[[nodiscard]] std::int32_t worldSizeOf(const Run& run);

/// Divides groups without a role that are used for several things, if names or the operators around the launches
/// distinguish them: fills GroupRole::parts and, for all collectives, ParallelismFacts::of_collectives. `signs` as
/// CollectiveFacts::collectives.
void divideGroups(const CollectiveFacts& facts, const std::vector<CollectiveSign>& signs, ParallelismFacts& found);

/// The groups with the role of their parts, if all parts have one role: the input for the grid of the job.
[[nodiscard]] std::vector<GroupRole> withRolesOfParts(std::vector<GroupRole> groups);

/// Adds notes to each dimension of the grid that only a part of a group shows, with what the rest of the group is for.
void noteDimensionsOfParts(ParallelismFacts& found);

}  // namespace rankscope
