// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/facts.h"

namespace rankscope::report {

/// A part of a step for a chart. The parts of a step add up to it.
struct ChartPart {
    std::string colour;  ///< name in the palette
    std::string title;   ///< "Compute", "Idle: DataLoader"
    DurationNs ns = 0;
    bool waits = false;  ///< waiting inside collectives: the colour of communication, hatched
    int order = 0;       ///< its position among all parts that a step may have
};

/// Where the time of a step went, in the order of the charts: compute, communication, copies, idle by cause. Parts of
/// zero length are left out. Empty on a rank without device work.
[[nodiscard]] std::vector<ChartPart> partsOf(const RankStep& step);

}  // namespace rankscope::report
