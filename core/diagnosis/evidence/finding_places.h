// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/facts.h"
#include "core/diagnosis/frame/finding.h"

namespace rankscope {

/// Where a finding is in a step: a slice that proves it, or time that it takes from a rank.
struct FindingPlace {
    RankPosition rank;
    SliceRef slice;  ///< the evidence; invalid for time
    TimeSpan span;  ///< time that is blocked, or in which the rank was late, on the clock of its rank's file; empty for
                    ///< a slice
    friend bool operator==(const FindingPlace&, const FindingPlace&) = default;
};

/// All places of a finding in one step of the run: its evidence, the times at which its ranks were late, and parts of
/// gaps like those of the evidence: with the same cause and label, or only the same cause if the finding is about a
/// cause as a whole. Adjacent parts are one place. Only the first 64 ranks of a finding count. O(parts of gaps of the
/// step on those ranks).
[[nodiscard]] std::vector<FindingPlace> placesOf(const RunFacts& facts, const Finding& finding, const RunStep& step);

/// The step to show a finding in: the typical step of the run if the finding has a place there; else the most typical
/// one with evidence; else the typical one after all. Nothing if no step is complete and none has evidence.
[[nodiscard]] std::optional<RunStepPosition> stepToShow(const RunFacts& facts, const Finding& finding);

}  // namespace rankscope
