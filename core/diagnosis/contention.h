// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/interval_set.h"
#include "core/diagnosis/lateness.h"

namespace rankscope {

/// When the collectives of a rank stood on its device and waited for other ranks, as far as ranks are coupled: from
/// their start there until the transfer began. On the rank's file clock.
[[nodiscard]] IntervalSet waitingCollectives(const RunReplayModel& model, RankPosition rank);

/// Whether most of a piece of work ran beside one of these.
[[nodiscard]] bool besideWaiting(const IntervalSet& waiting, const ReplayEvent& event);

/// How many times as long work takes while a collective waits beside it, since its kernel keeps multiprocessors busy.
///
/// It is read off `steps`, where ranks that wait do the same as the late ones, who wait for none. Kernels of one name
/// that both launch equally often in a step are paired in order of launch; with o of the waiting rank and l of the late
/// one, it is (sum of o / sum of l) over the pairs that ran beside a waiting collective there, over the same of those
/// that ran beside no communication at all. What makes the late one's device slower, or its work more, is in both.
///
/// 1 where it cannot be told, or is under 1 %. At most 2: more is something else. Looks at no more than 16 ranks and 8
/// steps, evenly spread.
[[nodiscard]] double slowdownBesideWaiting(const RuleContext& context, const std::vector<LateStep>& steps);

}  // namespace rankscope
