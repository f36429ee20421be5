// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/replay/run_replay.h"
#include "core/analysis/stages.h"

namespace rankscope {

/// Segments, segment times and the simple measures.
[[nodiscard]] StragglerFacts findStragglerFacts(const AlignedRun& run, std::span<const ExplainedRank> ranks,
                                                const RunReplayModel& model);

// What a step would save, segment by segment, if some slow ranks took the median segment time of their peers: the
// longest segment time of all, less the longest then. A rank that is faster than that stays as it is. Of segments that
// only some ranks go through it is the most that a step may save: others may hold the step up as well.

/// The savings if the first rank of `ranking` did, the first two, and so on: one for each of the ranks in it, which are
/// all different. O(n log n) in the members of a segment.
[[nodiscard]] std::vector<DurationNs> prefixSavings(const StragglerFacts& facts, RunStepPosition step,
                                                    const std::vector<RankPosition>& ranking);

/// By rank: the saving if that rank alone did, beside ranks that `already` do before and after; 0 of these. O(members)
/// a segment.
[[nodiscard]] std::vector<DurationNs> savingOfEach(const StragglerFacts& facts, RunStepPosition step,
                                                   const std::vector<RankPosition>& already = {});

/// Of `count` ranks those in `ranks`.
[[nodiscard]] std::vector<bool> markRanks(const std::vector<RankPosition>& ranks, std::size_t count);

/// The median segment time of all ranks of a segment but `slow`.
[[nodiscard]] DurationNs medianSegmentTime(const StragglerSegment& segment, const std::vector<RankPosition>& slow);

}  // namespace rankscope
