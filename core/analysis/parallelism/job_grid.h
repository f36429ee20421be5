// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/parallelism/parallelism.h"
#include "core/trace/run.h"

namespace rankscope {

/// The grid of the job, from the members of the groups with known roles: one dimension per role, made of the role's
/// smallest groups. A rank's place in a dimension is its place among those members of its group that share its places
/// in all inner dimensions, so that shards over data and context do not count the context twice. Notes say what is
/// unknown.
[[nodiscard]] JobGrid gridOf(const Run& run, const std::vector<GroupRole>& groups);

}  // namespace rankscope
