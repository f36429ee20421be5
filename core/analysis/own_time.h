// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/run_replay.h"

namespace rankscope {

/// Segments, own times and the simple measures. Needs steps, collectives and the median step in `facts`.
[[nodiscard]] StragglerFacts findStragglerFacts(const RunFacts& facts, const RunReplayModel& model);

/// What a step would save, segment by segment, if `slow` ranks took the median own time of the others: the longest own
/// time of all, less the longest then. A rank that is faster than that stays as it is. `already` are ranks that take
/// that median before and after.
[[nodiscard]] DurationNs segmentSaving(const StragglerFacts& facts, std::uint32_t step,
                                       const std::vector<std::uint32_t>& slow,
                                       const std::vector<std::uint32_t>& already = {});

/// The median own time of all ranks but `slow` in a segment.
[[nodiscard]] DurationNs usualOwnTime(const OwnTimeSegment& segment, const std::vector<std::uint32_t>& slow);

}  // namespace rankscope
