// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/facts.h"
#include "core/clock/run_clock.h"

namespace rankscope {

// Which step represents a run in a picture with room for one.

/// The most typical step of the run: of the complete, steady ones the one with the duration nearest to
/// RunFacts::pricedStep(), of two the earlier. If none is steady, the same of the complete ones; nothing if none is
/// complete. O(steps).
[[nodiscard]] std::optional<RunStepPosition> typicalRunStep(const RunFacts& facts);

/// Whether `a` is more typical of the run than `b`: complete before incomplete, steady before outlier, then the
/// duration nearer to the priced step.
[[nodiscard]] bool isMoreTypical(const RunFacts& facts, const RunStep& a, const RunStep& b);

/// From the first start to the last end of a step on any rank, including its work on the host. On the run's clock;
/// empty if no rank has it. O(ranks).
[[nodiscard]] TimeSpan spanOnAllRanks(const RunFacts& facts, const RunClock& clock, const RunStep& step);

}  // namespace rankscope
