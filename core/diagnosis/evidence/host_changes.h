// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "core/base/interval_set.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

// Host time that a replay leaves out, for the replays of several rules.

/// The parts of a rank's gaps in the ledger entries that `owned` picks take no time.
[[nodiscard]] std::vector<HostChange> withoutParts(const RuleContext& context, RankPosition rank,
                                                   const LedgerFilter& owned);

using SliceFilter = std::function<bool(StringId name, Category category)>;

/// The outermost slices of the rank's host threads that `wanted` picks take no time.
[[nodiscard]] std::vector<HostChange> withoutSlices(const RankContext& work, const SliceFilter& wanted);

/// Host time in these spans takes no time.
[[nodiscard]] std::vector<HostChange> without(const IntervalSet& spans);

/// The host time of a rank in DataLoader waits, in stalls of its threads, in the parts of gaps in ledger entries that
/// `owned` picks, and in the outermost slices that `wanted` picks.
[[nodiscard]] IntervalSet hostTimeOf(const RuleContext& context, RankPosition rank, const LedgerFilter& owned,
                                     const SliceFilter& wanted);

/// The CPU time for launching kernels that run at least as long as their launch calls: from the end of the previous
/// launch to the end of their own.
[[nodiscard]] std::vector<TimeSpan> launchesOfLongKernels(const RankContext& work);

}  // namespace rankscope
