// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

// The targets of the pictures of a verdict.

/// Where a phase is in typicalRunStep(), on its critical rank, on the clock of that rank's file: its GPU work; if it
/// has none, such as the loading of data, its ranges on the CPU.
struct PhasePlace {
    RankPosition rank;
    TimeSpan span;
};

/// Nothing if that rank does not show the phase in that step. Linear in the slices of the step.
[[nodiscard]] std::optional<PhasePlace> placeOfPhase(const AnalysedRun& run, Phase phase);

/// The slice that marks the step in which a rank was latest; invalid if there is none.
[[nodiscard]] SliceRef markOfLatestStep(const RunFacts& facts, RankPosition rank);

}  // namespace rankscope::ui
