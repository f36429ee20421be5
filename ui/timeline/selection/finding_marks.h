// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/diagnosis/evidence/finding_places.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

/// The places of a finding in one step of its run, for the marks of the timeline.
struct FindingMarks {
    std::shared_ptr<const AnalysedRun> of;  ///< the run that they belong to; nullptr: nothing is marked
    std::uint32_t finding = 0;              ///< in its diagnosis
    RunStepPosition step;
    std::vector<FindingPlace> places;  ///< by rank; for each the times in order, then the evidence
    [[nodiscard]] bool empty() const { return of == nullptr || places.empty(); }
};

/// The places of a finding in a step; none if there is no such finding or step. Costs the same as placesOf().
[[nodiscard]] FindingMarks marksOf(std::shared_ptr<const AnalysedRun> run, std::uint32_t finding, RunStepPosition step);

/// The rank of the finding's first evidence, else of its first place, else the first rank.
[[nodiscard]] RankPosition firstRankOf(const FindingMarks& marks);

}  // namespace rankscope::ui
