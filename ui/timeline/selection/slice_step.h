// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope::ui {

/// The step that a slice is of. Host work is of the one whose mark it is, or whose mark on the host has its middle: a
/// host that runs ahead is under an earlier step of the device. Device work is of the step that launched it; where
/// no launch is known, of the step of the device that has its middle. Nothing where no step has it. O(steps).
[[nodiscard]] std::optional<RankStepPosition> stepOfSlice(const RankTrace& trace, const RankFacts& facts,
                                                          SliceRef slice);

/// The same step among those of the run; nothing where the run has none that is this one of the rank. O(steps).
[[nodiscard]] std::optional<RunStepPosition> runStepOf(const RunFacts& facts, RankPosition rank, RankStepPosition step);

}  // namespace rankscope::ui
