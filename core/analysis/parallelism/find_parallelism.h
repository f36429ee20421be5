// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/analysis/facts.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/trace/run.h"

namespace rankscope {

/// What the groups of a run are for, how its ranks stand in them, and which exposed communication is whose: from the
/// collectives, phases and steps of `facts`, and from what the user says of groups. Ranks are timed on up to `threads`
/// threads.
[[nodiscard]] ParallelismFacts findParallelism(const Run& run, const RunFacts& facts, const RoleChoices& choices,
                                               std::size_t threads);

}  // namespace rankscope
