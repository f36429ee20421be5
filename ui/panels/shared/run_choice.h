// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "ui/panels/shared/open_runs.h"

class QComboBox;

namespace rankscope::ui {

/// Lets a box choose one of the open runs. Keeps the chosen index while there are enough runs; hides the box if there
/// is no choice. Emits no change.
void offerRuns(QComboBox& box, const OpenRuns& runs);

/// Lets a box choose all ranks of a run, as its first line, or one of them, in the order of Run::ranks. Keeps the
/// chosen rank at its new index. Emits no change. If there are many ranks, the user types the number. `run` may be
/// null.
void offerRanks(QComboBox& box, const AnalysedRun* run);

/// The index of the run that a box of offerRuns() has chosen; 0 if there is none.
[[nodiscard]] std::uint32_t chosenRun(const QComboBox& box);
/// The rank that a box of offerRanks() has chosen; nothing: all ranks.
[[nodiscard]] std::optional<RankPosition> chosenRank(const QComboBox& box);

}  // namespace rankscope::ui
