// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

#include "core/analysis/replay/run_replay.h"

namespace rankscope::test {

/// A change that changes nothing, and leaves nothing out of the replay: it must give what was measured.
inline const ReplayChange kReplayWhole{.queue_gap = std::numeric_limits<DurationNs>::max()};

/// The same on all ranks.
inline RunChange replayWhole() {
    RunChange change;
    change.of_rank = [](RankPosition) { return kReplayWhole; };
    return change;
}

}  // namespace rankscope::test
