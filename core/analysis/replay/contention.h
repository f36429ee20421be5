// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/replay/run_replay.h"

namespace rankscope {

/// When the collectives of a rank were on its device and waited for other ranks, if ranks are coupled: from their start
/// there until the transfer began. On the rank's file clock.
[[nodiscard]] IntervalSet waitingCollectives(const RunReplayModel& model, RankPosition rank);

/// How many times as long work takes while a collective waits at the same time, since its kernel keeps multiprocessors
/// busy.
///
/// It is measured in steps in which waiting ranks do the same as one that does not wait. In each, the rank that waits
/// least is compared with the others: kernels of one name that both launch equally often are paired in order of launch.
/// With o of the other rank and l of that one, it is (sum of o / sum of l) over the pairs in which o ran mostly beside
/// a waiting collective and l beside no communication, over the same of the pairs in which both ran beside none. Both
/// ratios include what makes one device slower than another, or its work more.
///
/// Nothing without 16 pairs of each kind, or above 2, which has another cause; 1 if it is under 1.01. Uses at most 16
/// ranks and 8 steps, evenly spread; linear in their device work.
[[nodiscard]] std::optional<double> slowdownBesideWaiting(const RunReplayModel& model,
                                                          const std::vector<RankContext>& work,
                                                          const std::vector<RunStep>& steps);

/// The same, and for replays: fills RunReplayModel::slowdown and, where that is above 1, RunReplayModel::beside.
/// O(device work).
[[nodiscard]] std::optional<double> measureContention(const std::vector<RankContext>& work,
                                                      const std::vector<RunStep>& steps, RunReplayModel& model);

/// How many times as long computation takes while communication runs beside it, which keeps multiprocessors and memory
/// busy, as far as kernels show that do the same again and again.
///
/// Of each rank and name of a kernel, those that ran mostly beside communication are held against those that ran beside
/// none, by their medians, where there are eight of each, and where the middle half of the latter is within a tenth
/// of its median: else they do different work under one name. Names count by the time of their kernels. Nothing if
/// no name shows it; 1 if it would be less. O(device work), but for sorting.
[[nodiscard]] std::optional<double> slowdownBesideCommunication(const RunReplayModel& model,
                                                                const std::vector<RankContext>& work);

/// By how much a piece of work was longer since a collective waited for `overlap_ns` beside it.
[[nodiscard]] DurationNs slowedBy(double slowdown, DurationNs overlap_ns);

}  // namespace rankscope
