// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <utility>
#include <vector>

#include "core/analysis/collectives/collective_index.h"
#include "core/diagnosis/analysed_run.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// What the facts say of the collective that a slice is part of, as names and values in HTML: its transfer, for whom
/// this rank waited and what that rank did meanwhile, and links to the parts of the other ranks. Empty where the slice
/// belongs to no collective.
[[nodiscard]] std::vector<std::pair<QString, QString>> collectiveRows(const AnalysedRun& run,
                                                                      const CollectiveIndex& collectives,
                                                                      const SliceSelection& at);

}  // namespace rankscope::ui
