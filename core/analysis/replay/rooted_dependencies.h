// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replay/run_replay.h"

namespace rankscope {

/// Whether a collective goes from one member to the others, or from the others to one. A member then waits for some of
/// the others only, and the trace does not say for whom.
[[nodiscard]] constexpr bool isRooted(CollectiveKind kind) {
    return kind == CollectiveKind::Broadcast || kind == CollectiveKind::Reduce || kind == CollectiveKind::Gather ||
           kind == CollectiveKind::Scatter;
}

/// Whether members wait for only some of the others, by their times: in a rooted collective, and in kernels
/// of unknown kind, such as DeepEP's in parts, of which one sends and leaves and another waits for all.
[[nodiscard]] constexpr bool waitsForSome(CollectiveKind kind) {
    return isRooted(kind) || kind == CollectiveKind::Unknown;
}

/// Fills whom the members of rendezvous wait for that do not end together. A member is taken to wait for all others but
/// those that it proved not to need: it has ended before they came, here or in another collective of the same kind,
/// group and size, by more than their clocks may be off. Such a proof from elsewhere does not count where a member
/// stayed for more than two transfers after all that it is left with had come: the root may be another one then.
///
/// Whom a member could have waited for and did not need is more than what it waits for: a replay then saves less than
/// it might, never more.
///
/// Time and memory are O(n log n) in the members of a rendezvous, but for pairs of which one once went on without the
/// other: those that are left over are listed.
void findRootedDependencies(const CollectiveFacts& collectives, const RunClock& clock, RunReplayModel& model);

/// Whom a member waits for beside itself, as sorted indices of members.
[[nodiscard]] std::vector<std::uint32_t> waitsFor(const ReplayRendezvous& rendezvous, std::uint32_t member);

}  // namespace rankscope
