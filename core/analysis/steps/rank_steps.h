// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// The steps of a rank with their bounds and whether they are complete (design 4.2); without partition and gaps.
[[nodiscard]] std::vector<MeasuredStep> findRankSteps(const RankContext& work);

/// When the device work ended that was launched before the first step that was read of a rank, and is not in its trace:
/// for boundSteps(). DeviceEvent::kBeforeAll where there is none.
[[nodiscard]] TimeNs earlierWorkEnd(const RankContext& work);
/// The step before the first that was read, where there is one.
[[nodiscard]] std::optional<StepBefore> stepBeforeFirst(const RankContext& work);

}  // namespace rankscope
