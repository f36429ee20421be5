// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/analysis/collectives/collective_index.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// The interval of a band on its rank's file clock; empty if there is none.
[[nodiscard]] TimeSpan bandSpan(const AnalysedRun& run, const BandSelection& at);
/// "Communication under compute for 1.2 ms on rank 3".
[[nodiscard]] QString bandTitle(const AnalysedRun& run, const BandSelection& at);
/// A stretch of communication as HTML: its cost, the collectives in it, for whom the rank waited there, and which share
/// of its step's communication is hidden. Slices are links (sliceLink()). `collectives` is nullptr while the run's
/// index is being built: they are then left out.
[[nodiscard]] QString bandHtml(const AnalysedRun& run, const CollectiveIndex* collectives, const BandSelection& at,
                               const Theme& theme);

}  // namespace rankscope::ui
