// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/frame/rule.h"
#include "core/whatif/effect.h"

namespace rankscope {

/// A change, and how far off it may be because of what communication costs the kernels beside it.
struct ContendedChange {
    RunChange change;
    AddedTime error = {};  ///< low <= 0, likely = 0, high >= 0
};

/// Kernels take longer while communication runs beside them. A recorded kernel has what that cost it; after a change it
/// runs beside more communication or less, for a larger or smaller part of its time. Plays the change once to see how
/// much, and gives each kernel what it takes then: its time without communication, over 1 - share x (1 - 1 / slowdown),
/// with the share of its time beside communication in that replay. The slowdown is that of besideCommunication(). Where
/// the run shows what waiting collectives cost (RunReplayModel::slowdown), the replay itself has that, and only
/// transfers count here. Copies keep their length.
///
/// The error is the effect of the lowest and the highest slowdown instead of the likely one. Without one that is above
/// 1, and if no share changes, the change stays as it is. Three replays, and O(device work) besides.
[[nodiscard]] ContendedChange withContention(const RuleContext& context, RunChange change);

}  // namespace rankscope
