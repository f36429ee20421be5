// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

/// A run with this many ranks or more opens as an overview: its worst ranks on top, and its map before its tracks.
inline constexpr std::size_t kManyRanks = 257;

/// The open runs, in the order of opening. A run that is still loading has no facts yet, or facts of fewer ranks than
/// it has.
using OpenRuns = std::vector<std::shared_ptr<const AnalysedRun>>;

/// A span of a rank on the clock of its file, on the timeline's axis.
[[nodiscard]] inline TimeSpan axisSpan(const AnalysedRun& run, RankPosition rank, const TimeSpan& in_file) {
    const TimeSpan on_clock = run.clock.ranks[rank].toRun(FileSpan(in_file));
    return {on_clock.start_ns - run.clock.base_ns, on_clock.end_ns - run.clock.base_ns};
}

}  // namespace rankscope::ui
