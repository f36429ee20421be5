// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/facts.h"
#include "core/clock/run_clock.h"

namespace rankscope {

// Which step represents a run where a picture has room for one.

/// The step of the run that shows best what all of them are like: of the complete, steady ones that with the duration
/// nearest to RunFacts::pricedStep(), of two the earlier. Where none is steady, the same of the complete ones; nothing
/// where none is complete. O(steps).
[[nodiscard]] std::optional<RunStepPosition> typicalRunStep(const RunFacts& facts);

/// Whether `a` shows better than `b` what the steps of the run are like: complete before incomplete, steady before
/// outlier, then the duration nearer to the priced step.
[[nodiscard]] bool isMoreTypical(const RunFacts& facts, const RunStep& a, const RunStep& b);

/// From the first start to the last end of a step on any rank, its work on the host included.
/// On the run's clock; empty where no rank has it. O(ranks).
[[nodiscard]] TimeSpan spanOnAllRanks(const RunFacts& facts, const RunClock& clock, const RunStep& step);

}  // namespace rankscope
