// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/parallelism/parallelism.h"
#include "core/trace/run.h"

namespace rankscope {

/// The grid of the job, from the members of the groups whose roles are told: a dimension for each role, with the
/// smallest of its groups. A rank's place in a dimension is its place among those members of its group that share its
/// places in the dimensions inside of it, so that shards over data and context do not count the context twice. Notes
/// say what cannot be told.
[[nodiscard]] JobGrid gridOf(const Run& run, const std::vector<GroupRole>& groups);

}  // namespace rankscope
