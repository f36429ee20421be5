// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replay/run_replay.h"

namespace rankscope {

/// Whether a collective goes from one member to the others, or from the others to one. A member then waits for only
/// some of the others, and the trace does not say for which.
[[nodiscard]] constexpr bool isRooted(CollectiveKind kind) {
    return kind == CollectiveKind::Broadcast || kind == CollectiveKind::Reduce || kind == CollectiveKind::Gather ||
           kind == CollectiveKind::Scatter;
}

/// Whether, judged by their times, members wait for only some of the others: in a rooted collective, and in kernels of
/// unknown kind, such as DeepEP's in parts, of which one sends and leaves and another waits for all.
[[nodiscard]] constexpr bool waitsForSome(CollectiveKind kind) {
    return isRooted(kind) || kind == CollectiveKind::Unknown;
}

/// Finds the members that the members of rendezvous wait for, if these do not end together. A member counts as waiting
/// for all others except those that it proved not to need: it has ended before they came, here or in another collective
/// of the same kind, group and size, by more than the error of their clocks. Such a proof from another collective does
/// not count if a member stayed for more than two transfers after all its remaining members had come: the root may then
/// be another one.
///
/// The result may contain members that it did not wait for: a replay then saves less than it could, never more.
///
/// Time and memory are O(n log n) in the members of a rendezvous, except for pairs of which one once continued without
/// the other: the remaining ones are listed.
void findRootedDependencies(const CollectiveFacts& collectives, const RunClock& clock, RunReplayModel& model);

/// The members that a member waits for, without itself, as sorted indices of members.
[[nodiscard]] std::vector<std::uint32_t> waitsFor(const ReplayRendezvous& rendezvous, std::uint32_t member);

}  // namespace rankscope
