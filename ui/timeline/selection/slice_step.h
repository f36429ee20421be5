// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope::ui {

/// The step of a slice. Host work belongs to the step whose mark it is, or whose host mark contains its middle: a host
/// that runs ahead is under an earlier step of the device. Device work belongs to the step that launched it; if its
/// launch is unknown, to the device's step that contains its middle. Nothing if there is no such step. O(steps).
[[nodiscard]] std::optional<RankStepPosition> stepOfSlice(const RankTrace& trace, const RankFacts& facts,
                                                          SliceRef slice);

/// The same step as an index among those of the run; nothing if the run does not have it. O(steps).
[[nodiscard]] std::optional<RunStepPosition> runStepOf(const RunFacts& facts, RankPosition rank, RankStepPosition step);

}  // namespace rankscope::ui
