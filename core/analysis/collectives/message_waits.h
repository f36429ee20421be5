// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/clock/run_clock.h"

namespace rankscope {

// Who waits for whom in sends and receives. A receive cannot end before its sender has arrived. Whether a sender stays
// until its receiver arrives depends on the library: it buffers small messages and returns, and hands large ones over
// while both kernels run. The trace does not say which, but times do: a sender that ended before its receiver came did
// not wait.

/// Fills CollectiveMessage::sender_waits and Collective::in_rendezvous of all sends and receives. A sender counts as
/// waiting, with two exceptions. It ended before the receiver came, by more than the error of their clocks. Or a sender
/// of the same size between the same ranks once did so, and the end of this one is explained within two transfers by
/// what it waited for, without the receiver. A sender that wrongly counts as waiting makes a saving smaller, never
/// larger. O(n log n) in the messages.
void findRendezvous(CollectiveFacts& facts, const RunClock& clock);

/// The members that each member waits for: sorted indices, by member.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> partnersWaitedFor(const Collective& collective);

/// Fills the transfer and the waits of complete collectives that do not end together, by the run's clock: a member's
/// transfer begins when the last that it waits for has arrived. Members of sends and receives wait for their partners.
/// Members of kernels of unknown kind, such as DeepEP's in parts, wait for all members, if each ended after all others
/// had arrived, by more than the error of their clocks. Nothing is filled if that is not so, if the clock of a member
/// is not known, or if messages have no partner.
void timeByClock(Collective& collective, const RunClock& clock);

}  // namespace rankscope
