// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/replay/run_replay.h"

namespace rankscope {

/// The times in which the collectives of a rank waited for other ranks on its device, if ranks are coupled: from their
/// start there until the transfer began. On the rank's file clock.
[[nodiscard]] IntervalSet waitingCollectives(const RunReplayModel& model, RankPosition rank);

/// How much longer work takes while a collective waits at the same time, since its kernel keeps multiprocessors busy: a
/// factor.
///
/// It is measured in steps in which waiting ranks do the same work as one that does not wait. In each, the rank that
/// waits least is compared with the others: kernels of one name that both launch equally often are paired in order of
/// launch. Pairs in which both ran without communication say how much longer the work of that step takes on the other
/// rank: what makes one device slower than another, now and then or always, or its work larger. With that, the pairs in
/// which the other's kernel ran mostly while a collective waited, and that of the least waiting rank without
/// communication, say how long the other's would have taken. The factor is the sum of what they took over the sum of
/// that.
///
/// A step of a rank counts from 4 pairs without communication on. Nothing with fewer than 16 pairs of each kind, or if
/// it is above 2, which has another cause; 1 if it is below 1.01. Uses up to 16 ranks and 8 steps, evenly spread;
/// linear in their device work.
[[nodiscard]] std::optional<double> slowdownBesideWaiting(const RunReplayModel& model,
                                                          const std::vector<RankContext>& work,
                                                          const std::vector<RunStep>& steps);

/// The same for replays: fills RunReplayModel::slowdown and, if that is above 1, RunReplayModel::beside. O(device
/// work).
[[nodiscard]] std::optional<double> measureContention(const std::vector<RankContext>& work,
                                                      const std::vector<RunStep>& steps, RunReplayModel& model);

/// How much longer computation takes while communication runs at the same time, since that keeps multiprocessors and
/// memory busy: a factor, from kernels that do the same repeatedly.
///
/// For each rank and kernel name, the kernels that ran mostly together with communication are compared with those that
/// ran without, by their medians, if there are eight of each, and if the middle half of the latter is within a tenth of
/// its median: else they do different work under one name. Names are weighted by the time of their kernels. Nothing if
/// no name shows it; 1 if it would be less. O(device work), except for sorting.
[[nodiscard]] std::optional<double> slowdownBesideCommunication(const RunReplayModel& model,
                                                                const std::vector<RankContext>& work);

/// By how much a piece of work was longer because a collective waited at the same time, for `overlap_ns`.
[[nodiscard]] DurationNs slowedBy(double slowdown, DurationNs overlap_ns);

}  // namespace rankscope
