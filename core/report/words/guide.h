// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::report {

/// A stop of the walk through a run: a question that an experienced reader of traces asks, where to look, and what is
/// there. The sentences have this run's own numbers.
struct GuideStop {
    std::string question;   ///< "Is the GPU busy, or full of gaps?"
    std::string seen;       ///< what is seen here
    std::string otherwise;  ///< what would be seen if it were the other way
    std::string next;       ///< what to do; empty if there is nothing to do
    RankPosition rank;
    TimeSpan span;   ///< the place, on the clock of the rank's file
    SliceRef slice;  ///< what it is about; invalid if it is all of the place
};

/// The walk through a run, in one step of the rank that set its pace: of the complete, steady-state steps the one whose
/// length comes nearest to that which prices are of. What is good or bad is not judged here: remedies are those of the
/// findings. Empty if no rank has a complete step with device work. Linear in the run's steps and collectives.
[[nodiscard]] std::vector<GuideStop> guideOf(const AnalysedRun& run);

}  // namespace rankscope::report
