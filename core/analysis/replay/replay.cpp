// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/replay.h"

#include "core/analysis/replay/replay_player.h"

namespace rankscope {

std::vector<TimeSpan> replay(const ReplayModel& model, const ReplayChange& change) {
    ReplayPlayer player(model, change, false);
    player.beginAt(player.firstChange());
    (void)player.play();
    return player.steps();
}

}  // namespace rankscope
