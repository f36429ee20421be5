// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/diagnosis/analysed_run.h"

namespace rankscope::ui {

/// The runs that are open, in the order in which they were. A run that is still loading has no facts yet, or facts of
/// fewer ranks than it has.
/// From so many ranks on a run is looked at from afar first: its worst ranks on top, and its map before its tracks.
inline constexpr std::size_t kManyRanks = 257;

using OpenRuns = std::vector<std::shared_ptr<const AnalysedRun>>;

}  // namespace rankscope::ui
