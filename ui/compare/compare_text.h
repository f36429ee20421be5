// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "ui/compare/compared_runs.h"
#include "ui/compare/lookup.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

// What the compare panel says, as HTML. Facts are only worded here, never computed.

/// What cannot be compared, the verdict with its interval, what the changes gave, and what it is judged by.
[[nodiscard]] QString verdictHtml(const ComparedRuns& runs, const Theme& theme);

/// What a line of a table is about: its name, and of a finding why it is one in either run.
[[nodiscard]] QString lineHtml(const ComparedRuns& runs, ComparePage page, std::uint32_t row, const Theme& theme);

/// What was selected, what stands against it in the other run or that nothing does; of a gap what took its place.
/// Slices link as sliceLink says, with the side as the run: 0 is A.
[[nodiscard]] QString pairHtml(const ComparedRuns& runs, const FoundPair& pair, const Theme& theme);

/// Of a rank that held the others up in one run: what it did by itself there, and what it does in the other, as HTML.
[[nodiscard]] QString lateHtml(const ComparedRuns& runs, const FoundPair& pair, const Theme& theme);

// What stands against what in two timelines that move together, in a line.

/// "Step 5 of A against step 5 of B." `step` is one of ComparedRuns::steps.
[[nodiscard]] QString stepLine(const ComparedRuns& runs, std::size_t step);

/// The same by phase: "Step 5 of A against step 5 of B: backward." Where phases are not told it says which; where none
/// is, that the steps are what is aligned.
[[nodiscard]] QString phaseLine(const ComparedRuns& runs, std::size_t step, std::optional<Phase> phase);

/// Why phases of a step are not told, a line each; empty where all are.
[[nodiscard]] QString phasesUntold(const StepPhases& phases);

}  // namespace rankscope::ui
