// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/facts.h"

namespace rankscope {

/// The spread of the complete, steady-state steps of a run: half of them are between the quartiles. Each value is the
/// length of a measured step (nearest rank, the lower one); all 0 if there is no such step.
struct StepSpread {
    std::size_t steps = 0;
    DurationNs lower_quartile_ns = 0;
    DurationNs median_ns = 0;
    DurationNs upper_quartile_ns = 0;
};

/// The quartiles, in ns, of RunStep::duration_ns over the complete, steady-state steps of a run. O(steps log steps).
[[nodiscard]] StepSpread stepSpread(const RunFacts& facts);

/// By rank, as StragglerFacts::ranks: how late it was ready (SegmentTime::late_ns), the median over the complete,
/// steady-state steps; 0 for a rank without any.
[[nodiscard]] std::vector<DurationNs> medianLateness(const RunFacts& facts);

/// The complete, steady-state step of a rank with the median length, of those whose parts are known, of two the
/// shorter: a measured step, so its parts add up. Nothing with fewer than three.
[[nodiscard]] std::optional<RankStepPosition> typicalStep(const std::vector<RankStep>& steps);

}  // namespace rankscope
