// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "ui/compare/compared_runs.h"

namespace rankscope::ui {

// What stands against what in two timelines that move together, in a line.

/// "Step 5 of A stands against step 5 of B." `step` is one of ComparedRuns::steps.
[[nodiscard]] QString stepLine(const ComparedRuns& runs, std::size_t step);

/// The same by phase: "Step 5 of A against step 5 of B: backward." Where phases are not told it says which; where none
/// is, that the steps are what is aligned.
[[nodiscard]] QString phaseLine(const ComparedRuns& runs, std::size_t step, std::optional<Phase> phase);

/// Why phases of a step are not told, a line each; empty where all are.
[[nodiscard]] QString phasesUntold(const StepPhases& phases);

}  // namespace rankscope::ui
