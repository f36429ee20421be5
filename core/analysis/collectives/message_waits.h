// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/clock/run_clock.h"

namespace rankscope {

// Who waits for whom in sends and receives. A receive cannot end before its sender has come. Whether a sender stays
// until its receiver has come depends on the library: small messages are put in a buffer and left there, large ones are
// handed over while both are on their devices. The trace does not say which it was, but times do: a sender that has
// ended before its receiver came did not wait.

/// Fills CollectiveMessage::sender_waits and Collective::in_rendezvous of all sends and receives. A sender is taken to
/// wait, unless it ended before the receiver came, by more than their clocks may be off; or unless one of the same size
/// did so that went between the same ranks, and what it waited for without the receiver explains when it ended, to
/// within two transfers. Who is wrongly taken to wait makes a saving smaller, never larger. O(n log n) in the messages.
void findRendezvous(CollectiveFacts& facts, const RunClock& clock);

/// Whom each member waits for, by member: sorted indices of others.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> partnersWaitedFor(const Collective& collective);

/// Fills the transfer and the waits of complete collectives that do not end together, by the run's clock: a member's
/// transfer begins when the last that it waits for has come. Of sends and receives these are its partners. Of kernels
/// of unknown kind, such as DeepEP's in parts, they are all members, if each of these ended after all others had come,
/// by more than their clocks may be off. Nothing if that is not so, where the clock is not known for one of them, or
/// where messages have no partner.
void timeByClock(Collective& collective, const RunClock& clock);

}  // namespace rankscope
