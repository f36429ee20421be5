// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/facts.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// Which collectives of a run are wanted.
struct CollectiveFilter {
    std::optional<std::uint32_t> group;  ///< in CollectiveFacts::groups; nothing: of any
    bool of_role = false;                ///< of groups with `role` alone
    std::optional<Role> role;            ///< nothing: whose role cannot be determined
    friend bool operator==(const CollectiveFilter&, const CollectiveFilter&) = default;
};

/// A collective of a run, in one line.
struct CollectiveLine {
    CollectivePosition collective;      ///< in CollectiveFacts::collectives
    RunTime start_ns;                   ///< of its first member
    DurationNs length_ns = 0;           ///< of its longest member
    std::optional<DurationNs> wait_ns;  ///< of the member that waits longest; nothing if unknown
    std::optional<std::int64_t> step;   ///< in which its first member starts; nothing between steps
    std::size_t first_member = 0;       ///< in Collective::members, by the run's clock
};

/// The collectives that are wanted, by start. O(collectives x (members + log steps)).
[[nodiscard]] std::vector<CollectiveLine> collectiveLines(const RunFacts& facts, const RunClock& clock,
                                                          const CollectiveFilter& filter);

}  // namespace rankscope
