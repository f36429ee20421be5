// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/efficiency/efficiency.h"
#include "core/analysis/facts.h"
#include "core/analysis/facts_options.h"
#include "core/analysis/rank_context.h"
#include "core/trace/run.h"

namespace rankscope {

/// Measures how much of the hardware a run uses, the ranks on several threads. `facts` must hold all but its
/// efficiency; `work` as Run::ranks. Linear in device work and in operators that multiply.
[[nodiscard]] EfficiencyFacts measureEfficiency(const Run& run, const RunFacts& facts,
                                                const std::vector<RankContext>& work, const FactsOptions& options);

}  // namespace rankscope
