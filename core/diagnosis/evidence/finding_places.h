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
    TimeSpan
        span;  ///< time that is blocked, or in which the rank was late, on the clock of its file; empty for a slice
    friend bool operator==(const FindingPlace&, const FindingPlace&) = default;
};

/// All places of a finding in one step of the run: its evidence there, when its ranks were late, and the parts of gaps
/// that are as those that the evidence is about. These have the same cause and label, or where the finding is about a
/// cause as a whole, the same cause. Parts that follow one another are one place. Of a finding of many ranks the first
/// 64 are looked at. O(parts of gaps of the step on those ranks).
[[nodiscard]] std::vector<FindingPlace> placesOf(const RunFacts& facts, const Finding& finding, const RunStep& step);

/// The step to show a finding on: the typical one of the run, if the finding has a place there; else the most typical
/// of those with evidence; else the typical one all the same. Nothing where no step is complete and none has evidence.
[[nodiscard]] std::optional<RunStepPosition> stepToShow(const RunFacts& facts, const Finding& finding);

}  // namespace rankscope
