// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::report {

/// A stop of the guided tour of a run: a question that an experienced reader of traces asks, where to look, and what is
/// there. The sentences have this run's own numbers.
struct GuideStop {
    std::string question;   ///< "Is the GPU busy, or full of gaps?"
    std::string seen;       ///< what is seen here
    std::string otherwise;  ///< what would be seen in the opposite case
    std::string next;       ///< what to do; empty if there is nothing to do
    RankPosition rank;
    TimeSpan span;   ///< the place, on the clock of the rank's file
    SliceRef slice;  ///< the slice that it is about; invalid if it is about the whole place
};

/// The guided tour of a run, in one step of the rank that sets its pace: the complete, steady-state step whose length
/// is nearest to that of the priced steps. It does not judge; remedies are those of the findings. Empty if no rank has
/// a complete step with device work. Linear in the run's steps and collectives.
[[nodiscard]] std::vector<GuideStop> guideOf(const AnalysedRun& run);

}  // namespace rankscope::report
