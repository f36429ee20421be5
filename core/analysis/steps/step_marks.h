// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What marks one step on the host.
struct StepMark {
    std::int64_t index = 0;
    TimeSpan host;
    SliceRef slice;  ///< invalid for the whole window
};

/// How the host marks the steps of a rank (design 4.2).
struct StepMarks {
    StepSource source = StepSource::WholeWindow;
    TrackId thread;               ///< the thread that marks them; for the whole window the one that launches most
    std::vector<StepMark> marks;  ///< by start, disjoint
};

[[nodiscard]] StepMarks findStepMarks(const RankTrace& rank);

}  // namespace rankscope
