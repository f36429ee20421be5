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

/// Finds the steps of one rank by the first of these that its host threads recorded: `ProfilerStep#N`, a range with a
/// number in its name (`step_12`, `iteration 3`), a server's iterations (core/trace/iteration_names.h), each up to the
/// start of the next, what is between two ends of `Optimizer.step#`, or between two
/// starts of the DataLoader's `__next__`; else each recorded window is a step, from 0 on. No step reaches over a hole
/// between windows. Marks do not count where no launch is recorded and over half of the device's time is outside of
/// them. Of several threads, loaders or optimizers with such marks the one with most is taken; a mark nested in the one
/// before it is passed over. Linear in names and in slices of host threads, but for a look-up in a map for each mark.
[[nodiscard]] StepMarks findStepMarks(const RankTrace& rank);

}  // namespace rankscope
