// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/facts.h"
#include "core/diagnosis/prices/ledger_set.h"
#include "core/diagnosis/prices/pricing.h"

namespace rankscope {

/// What a replay saves in the steps that count for prices, by what that time was on each step's critical rank. Time
/// that grows is left out, so the parts may add up to more than the saving.
struct ShortenedWaits {
    DurationNs own_ns = 0;            ///< in the ledger entries of `owned`
    CauseTimes idle;                  ///< other idle time, by cause
    DurationNs communication_ns = 0;  ///< other communication and copies, and waits for other ranks in it
    [[nodiscard]] DurationNs total() const { return own_ns + idle.total() + communication_ns; }
};

/// In a replay without a cause that owns `owned`; `replayed` as Pricer::replayedWork() returns it.
[[nodiscard]] ShortenedWaits shortenedWaits(const RunFacts& facts, const Pricer& pricer, const LedgerSet& owned,
                                            const std::vector<ReplayedRank>& replayed);

/// Limits a saving to what its cause owns plus what provably follows, by the waits that its replay shortens. Proven:
/// late launches and other waits of the CPU, which a CPU that runs ahead avoids, and waits for a rank that is no longer
/// late. Not proven: pauses of the device without a recorded reason, because no order of launches is known to shorten
/// them. Sets Price::saving_ns, share, beyond_ns, follows, follows_communication_ns, unproven_ns and at_most.
void limitSaving(const RunFacts& facts, const Pricer& pricer, const std::vector<ReplayedRank>& replayed, Price& price);

}  // namespace rankscope
