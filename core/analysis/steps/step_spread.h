// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/facts.h"

namespace rankscope {

/// How far the complete, steady-state steps of a run are apart: half of them are between the quartiles. Each is the
/// length of a step that was measured (nearest rank, the lower one); all 0 if there is no such step.
struct StepSpread {
    std::size_t steps = 0;
    DurationNs lower_quartile_ns = 0;
    DurationNs median_ns = 0;
    DurationNs upper_quartile_ns = 0;
};

/// The quartiles, in nanoseconds, of the complete, steady-state steps of a run, each as long as RunStep::duration_ns
/// says. O(steps log steps).
[[nodiscard]] StepSpread stepSpread(const RunFacts& facts);

/// By rank, as StragglerFacts::ranks: the median over the complete, steady-state steps of how late it was ready
/// (SegmentTime::late_ns); 0 for a rank that has none.
[[nodiscard]] std::vector<DurationNs> medianLateness(const RunFacts& facts);

/// Of the complete, steady-state steps of a rank whose parts are known that of the median length, of two the shorter:
/// a step that was measured, so that its parts add up. Nothing of fewer than three, which have none in the middle.
[[nodiscard]] std::optional<RankStepPosition> typicalStep(const std::vector<RankStep>& steps);

}  // namespace rankscope
