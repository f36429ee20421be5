// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/analysis/facts.h"
#include "core/trace/run.h"

namespace rankscope {

/// Dispatches and combines of the expert groups of a run, and how evenly the experts' work lies on the ranks: from the
/// collectives, steps and roles of `facts`. Nothing where no group is of experts. Ranks are timed on up to `threads`
/// threads.
[[nodiscard]] ExpertFacts findExperts(const Run& run, const RunFacts& facts, std::size_t threads);

}  // namespace rankscope
