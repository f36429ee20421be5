// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/open_runs.h"

class QComboBox;

namespace rankscope::ui {

/// Lets a box choose one of the open runs. The place that was chosen stays, as far as there are so many; the box hides
/// where there is no choice. It tells nobody of a change.
void offerRuns(QComboBox& box, const OpenRuns& runs);

/// Lets a box choose all ranks of a run, its first line, or one of them, in the order of Run::ranks. The rank that was
/// chosen stays chosen wherever it stands now. It tells nobody of a change. Of many ranks one is
/// chosen by typing its number. `run` may be null.
void offerRanks(QComboBox& box, const AnalysedRun* run);

}  // namespace rankscope::ui
