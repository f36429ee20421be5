// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/gaps/running_ranks.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// What blocks CPU threads, judged by when they stall.
enum class StallKind : std::uint8_t {
    Unknown,
    MoreThreadsThanCores,  ///< they take turns: some run, the others stall
    PausedTogether,        ///< all of them stall at once: a control group's quota, or a suspended machine
    OneThread              ///< one stalls while the others run: Python's garbage collection, a lock
};

/// How many ranks' host threads ran at once, over the time in which at least one stalled. A rank runs unless one of its
/// threads stalls.
struct StallPattern {
    StallKind kind = StallKind::Unknown;
    std::size_t ranks = 0;              ///< ranks of the host
    std::size_t running = 0;            ///< running at once for the longest part of that time
    double running_share = 0;           ///< the share of that time in which this many ran
    std::size_t most_running = 0;       ///< at any time
    double stalled_share = 0;           ///< the share of the recorded time with at least one stall
    std::optional<DurationNs> grid_ns;  ///< the period of a scheduler's ticks: all starts of stalls are multiples of it
};

/// The coarsest tick of a scheduler (10, 4, 2.5 or 1 ms) that these times are multiples of, from any common offset;
/// nothing if there is none, or if there are fewer than 20 times.
[[nodiscard]] std::optional<DurationNs> tickOf(const std::vector<TimeNs>& times);

/// The pattern of one host's ranks in `window`, all on one clock; `recorded_ns` of it was recorded. Criteria, each with
/// at least six stalls:
/// - paused together: of two ranks or more, none runs for 60 % of the time in which any stalls;
/// - more threads than cores: two ranks or more stall together for 90 % of that time while others run, and the number
///   of those that run is the same for 60 %; or the stalls start on a scheduler's grid (1, 2.5, 4 or 10 ms);
/// - one thread: of three ranks or more, exactly one stalls for 80 % of that time, and the starts are on no grid.
/// O(n log n) in the stalls.
[[nodiscard]] StallPattern patternOf(const std::vector<RankPauses>& ranks, const TimeSpan& window,
                                     DurationNs recorded_ns);

/// When the ranks of one host stalled.
struct HostPauses {
    std::string host;                 ///< empty if no file has it; then all ranks without a host count as one host
    std::vector<RankPosition> ranks;  ///< ranks with steps
    std::vector<RankPauses> pauses;   ///< as `ranks`, on the run's clock
    TimeSpan window;                  ///< the time in which all of them have steps, on the run's clock
    DurationNs recorded_ns = 0;       ///< the shortest recorded time of a rank in the window
    DurationNs stalled_ns = 0;        ///< all stalls together
};

/// One entry for each host of the run that has a rank with steps, by name. O(ranks log hosts + stalls).
[[nodiscard]] std::vector<HostPauses> pausesOfHosts(const Run& run, const RunFacts& facts, const RunClock& clock);

/// The pattern on the host whose ranks stall longest, with its name (empty if no file has it; then all ranks without a
/// host count as one host).
struct HostPattern {
    std::string host;
    StallPattern pattern;
};
[[nodiscard]] HostPattern worstHost(const RuleContext& context);

}  // namespace rankscope
