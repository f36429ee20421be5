// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The mark of one step on the host.
struct StepMark {
    std::int64_t index = 0;
    TimeSpan host;
    SliceRef slice;  ///< invalid if the step is the whole window
};

/// How the host marks the steps of a rank (design 4.2).
struct StepMarks {
    StepSource source = StepSource::WholeWindow;
    TrackId thread;               ///< the thread that marks them; for the whole window the thread with most launches
    std::vector<StepMark> marks;  ///< sorted by start, disjoint
};

/// Finds the steps of one rank by the first of these that its host threads recorded: `ProfilerStep#N`; a range with a
/// number in its name (`step_12`, `iteration 3`); a server's iterations (core/trace/iteration_names.h), each up to the
/// start of the next; the time between two ends of `Optimizer.step#`, or between two starts of the DataLoader's
/// `__next__`. Else each recorded window is a step, counted from 0. No step crosses a hole between windows. Marks do
/// not count if no launch is recorded and over half of the device's time is outside them. Of several threads, loaders
/// or optimizers with such marks the one with most wins; a mark nested in the previous one is skipped. Linear in names
/// and in slices of host threads, plus a map look-up per mark.
[[nodiscard]] StepMarks findStepMarks(const RankTrace& rank);

}  // namespace rankscope
