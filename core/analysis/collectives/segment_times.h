// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/replay/run_replay.h"
#include "core/analysis/stages.h"

namespace rankscope {

/// Computes segments, segment times and the simple measures.
[[nodiscard]] StragglerFacts findStragglerFacts(const AlignedRun& run, std::span<const ExplainedRank> ranks,
                                                const RunReplayModel& model);

// What a step would save, segment by segment, if some slow ranks took the median segment time of their peers: the
// longest segment time before, minus the longest after. A rank that is already faster does not change. For segments of
// only some ranks, this is the most that a step can save: other ranks may delay the step too.

/// The savings if the first rank of `ranking` were no longer slow, then the first two, and so on: one value per rank in
/// it; the ranks are all different. O(n log n) in the members of a segment.
[[nodiscard]] std::vector<DurationNs> prefixSavings(const StragglerFacts& facts, RunStepPosition step,
                                                    const std::vector<RankPosition>& ranking);

/// By rank: the saving if that rank too were no longer slow, when the ranks in `already` are not slow before and after;
/// 0 for these. O(members) per segment.
[[nodiscard]] std::vector<DurationNs> savingOfEach(const StragglerFacts& facts, RunStepPosition step,
                                                   const std::vector<RankPosition>& already = {});

/// Flags of `count` ranks: true for those in `ranks`.
[[nodiscard]] std::vector<bool> markRanks(const std::vector<RankPosition>& ranks, std::size_t count);

/// The median segment time of the ranks of a segment, without `slow`.
[[nodiscard]] DurationNs medianSegmentTime(const StragglerSegment& segment, const std::vector<RankPosition>& slow);

}  // namespace rankscope
