// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// The steps of a rank with their bounds and whether they are complete (design 4.2); without partition and gaps.
[[nodiscard]] std::vector<MeasuredStep> findRankSteps(const RankContext& work);

}  // namespace rankscope
