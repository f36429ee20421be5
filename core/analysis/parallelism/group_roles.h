// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/parallelism/group_use.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/analysis/parallelism/role_names.h"
#include "core/trace/run.h"

namespace rankscope {

/// The roles of the groups of `facts`, whose uses these are, then of those that only `pg_config` tells of and whose
/// names tell a role. What the user says goes before what is found. See docs/definitions.md, "Roles of groups".
[[nodiscard]] std::vector<GroupRole> rolesOfGroups(const Run& run, const CollectiveFacts& facts,
                                                   const std::vector<GroupUse>& uses, const RoleNames& names,
                                                   const RoleChoices& choices);

/// How many ranks the job has, recorded or not; 0 where no file says it.
[[nodiscard]] std::int32_t worldSizeOf(const Run& run);

}  // namespace rankscope
