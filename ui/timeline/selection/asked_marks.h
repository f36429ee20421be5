// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/diagnosis/evidence/finding_places.h"
#include "ui/timeline/selection/slice_hits.h"

namespace rankscope::ui {

/// What the answer to a question marks on the timeline: slices, and times of ranks.
struct AskedMarks {
    /// Places on the ranks of one run.
    struct OfRun {
        std::uint32_t run = 0;             ///< index among the open runs
        std::vector<FindingPlace> slices;  ///< by rank, then by start: bars in the headers of their ranks
        std::vector<FindingPlace> times;   ///< by rank, then by start: bars, and outlines around the streams
    };

    SliceHits rows;  ///< the slices, on their rows
    std::vector<OfRun> runs;
    std::size_t count = 0;  ///< number of places
    TimeSpan around;        ///< from the first to the end of the last, on the axis
    std::uint32_t run = 0;  ///< of the first place
    RankPosition rank;      ///< of the first place
};

}  // namespace rankscope::ui
