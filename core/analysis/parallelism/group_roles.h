// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/parallelism/group_use.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/analysis/parallelism/role_names.h"
#include "core/trace/run.h"

namespace rankscope {

/// The roles of the groups of `facts`, whose uses these are, then of those that only `pg_config` has and whose
/// names show a role. What the user says goes before what is found. See docs/definitions/parallelism.md.
[[nodiscard]] std::vector<GroupRole> rolesOfGroups(const Run& run, const CollectiveFacts& facts,
                                                   const std::vector<GroupUse>& uses, const RoleNames& names,
                                                   const RoleChoices& choices);

/// How many ranks the job has, recorded or not; 0 if no file says it.
[[nodiscard]] std::int32_t worldSizeOf(const Run& run);

/// Divides the groups without a role that are used for several things, where names or the operators around the launches
/// distinguish them: fills GroupRole::parts and, for all collectives, ParallelismFacts::of_collectives. `signs` as
/// CollectiveFacts::collectives.
void divideGroups(const CollectiveFacts& facts, const std::vector<CollectiveSign>& signs, ParallelismFacts& found);

/// The groups with the role of their parts, if that is one: what the grid of the job is made from.
[[nodiscard]] std::vector<GroupRole> withRolesOfParts(std::vector<GroupRole> groups);

/// Notes at each dimension of the grid that a part of a group shows it, and what the rest of the group is for.
void noteDimensionsOfParts(ParallelismFacts& found);

}  // namespace rankscope
