// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/facts.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// Which collectives of a run are requested.
struct CollectiveFilter {
    std::optional<std::uint32_t> group;  ///< index in CollectiveFacts::groups; nothing: any group
    bool of_role = false;                ///< only groups with `role`
    std::optional<Role> role;            ///< nothing: groups whose role is unknown
    friend bool operator==(const CollectiveFilter&, const CollectiveFilter&) = default;
};

/// A collective of a run, for one line of a list.
struct CollectiveLine {
    CollectivePosition collective;      ///< index in CollectiveFacts::collectives
    RunTime start_ns;                   ///< the start of its first member
    DurationNs length_ns = 0;           ///< the length of its longest member
    std::optional<DurationNs> wait_ns;  ///< the longest wait of a member; nothing if unknown
    std::optional<std::int64_t> step;   ///< the step in which its first member starts; nothing between steps
    std::size_t first_member = 0;       ///< the first to start on the run's clock: an index in Collective::members
};

/// The requested collectives, by start. O(collectives x (members + log steps)).
[[nodiscard]] std::vector<CollectiveLine> collectiveLines(const RunFacts& facts, const RunClock& clock,
                                                          const CollectiveFilter& filter);

}  // namespace rankscope
