// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/collectives/collective_calls.h"
#include "core/analysis/collectives/collectives.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

/// Matches the calls of all ranks, as Run::ranks, to collectives (design 4.5): by `Comms Id`; by group, peers and
/// `Seq`; sends and receives by their peers and their order (core/analysis/collectives/matching/match_messages.h); else
/// by order with proof, step by step. A call without a partner becomes a collective with one member, and is counted
/// with the reason. Fills the sizes, not the times.
[[nodiscard]] MatchedCollectives matchCollectives(const Run& run, std::vector<std::vector<CollectiveCall>> calls);

/// The matches on which clocks can be fitted: collectives of two or more present members that all finish together. For
/// ranks that these do not connect (ClockMatch::ends_together): also each send with its receive, and kernels of unknown
/// kind with all members, such as DeepEP's in parts, which wait for what the others send.
[[nodiscard]] std::vector<ClockMatch> clockMatches(const MatchedCollectives& facts);

/// The same collectives in the order of the run's clock, with transfers, waits and bandwidths, the collectives that are
/// slower than their peers, and the fits of transfer time by size.
[[nodiscard]] CollectiveFacts timeCollectives(MatchedCollectives matched, const RunClock& clock);

}  // namespace rankscope
