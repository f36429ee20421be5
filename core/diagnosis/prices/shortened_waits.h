// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/facts.h"
#include "core/diagnosis/prices/ledger_set.h"
#include "core/diagnosis/prices/pricing.h"

namespace rankscope {

/// What a replay takes off the steps that prices are of, by what that time was on the rank that paces each step. What
/// becomes longer is left out, so the parts may add up to more than the steps lose.
struct ShortenedWaits {
    DurationNs own_ns = 0;            ///< in the ledger entries that were asked for
    CauseTimes idle;                  ///< other idle time, by cause
    DurationNs communication_ns = 0;  ///< other communication and copies, and waits for other ranks in it
    [[nodiscard]] DurationNs total() const { return own_ns + idle.total() + communication_ns; }
};

/// Of a replay with `change`, of a cause that owns `owned`. One replay.
[[nodiscard]] ShortenedWaits shortenedWaits(const RunFacts& facts, const Pricer& pricer, const LedgerSet& owned,
                                            const RunChange& change);

/// Lets a price save no more than what its cause owns and what provably follows from that, by the waits that a replay
/// with `change` shortens. Proven is what the CPU, by being ahead, or a rank that no longer waits, can do without: late
/// launches, other waits of the CPU, and waits for other ranks. Not proven are pauses of the device whose reason is
/// not recorded: no order of launches is known to shorten them. Sets Price::saving_ns, share, beyond_ns, follows,
/// unproven_ns and at_most. One replay, if the saving is more than what the cause owns; else none.
void limitSaving(const RunFacts& facts, const Pricer& pricer, const RunChange& change, Price& price);

}  // namespace rankscope
