// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// The steps of a rank with their bounds and whether they are complete (design 4.2); without partition and gaps.
[[nodiscard]] std::vector<MeasuredStep> findRankSteps(const RankContext& work);

/// The end of device work that was launched before the first step that was read of a rank, and is not in its trace: for
/// boundSteps(). DeviceEvent::kBeforeAll if there is none.
[[nodiscard]] TimeNs earlierWorkEnd(const RankContext& work);
/// The step before the first one that was read, if there is one.
[[nodiscard]] std::optional<StepBefore> stepBeforeFirst(const RankContext& work);

}  // namespace rankscope
