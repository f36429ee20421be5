// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/clock/bridge_clocks.h"
#include "core/clock/clock_domains.h"
#include "core/clock/fit_clocks.h"
#include "core/clock/run_clock.h"

namespace rankscope {

// What the fit says about the clocks, in sentences for RunClock::notes.

/// "rank 3", "ranks 0 to 3 and 7": by number if the files have it, else by position.
[[nodiscard]] std::string ranksInWords(const Run& run, const std::vector<RankPosition>& ranks);

/// A host, and how the collectives of its ranks confirm or contradict its clock.
struct CheckedHost {
    ClockDomain domain;
    OneClockCheck check;  ///< result over at least one match
};
/// Whether the ranks of each host share one clock: a sentence per host; if there are many, one sentence for all of
/// them.
[[nodiscard]] std::vector<std::string> hostNotes(const Run& run, const std::vector<CheckedHost>& hosts);

/// What connects ranks that share no collectives that all members end together.
[[nodiscard]] std::string bridgeNote(const ClockBridge& bridge);

/// A note that the other sentences are about the files' own clocks, not about the offsets that the user entered for
/// `ranks`.
[[nodiscard]] std::string typedNote(const Run& run, const std::vector<RankPosition>& ranks);

/// Notes on the whole run: ranks on one clock without a host's name, ranks that nothing connects, matches that were set
/// aside. `clock` must have its ranks filled.
[[nodiscard]] std::vector<std::string> runNotes(const Run& run, const RunClock& clock, const ClockFit& fit);

}  // namespace rankscope
