// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/path_stretches.h"
#include "core/analysis/stages.h"

namespace rankscope {

/// Where the time of the steps went along the critical path, for each rank: from the end of its last step back to the
/// start of the first. Where its device waited in a collective for another rank, the path continues on that rank, back
/// from its arrival: the path includes everything that delayed it. Only complete, steady-state steps count, on any
/// rank.
///
/// A wait that did not last until its collective began (the rank's own work came first) does not turn the path; it
/// counts as what the other rank did at that time (RankStep::waits). In the order of ExplainedRun::ranks; empty without
/// such steps. It needs no clock. O(n) in the slices of all ranks: paths that meet continue as one.
[[nodiscard]] std::vector<PathTimes> criticalPaths(const ExplainedRun& explained, const CollectiveFacts& collectives);

/// Where a critical path continues on another rank: at a collective at which that rank arrived last.
struct PathTurn {
    CollectivePosition collective;
    RankPosition last;        ///< the last rank to arrive; the path runs on it until then
    RankPosition waiter;      ///< the rank that waited; the path runs on it from the start of the transfer
    TimeNs arrived_ns = 0;    ///< on the file clock of `last`: the start of its part
    TimeNs begun_ns = 0;      ///< on the file clock of `waiter`: the end of its wait
    std::size_t stretch = 0;  ///< the first stretch after the turn, in CriticalPath::stretches
};

/// A critical path, stretch by stretch, in order of time. On one rank each stretch begins where the previous one ends;
/// between two ranks there is a turn, or several if a rank between them had nothing on the path.
struct CriticalPath {
    std::vector<PathStretch> stretches;
    std::vector<PathTurn> turns;  ///< in order of time

    /// The sums of the stretches.
    [[nodiscard]] PathTimes times() const;
};

/// The path that ends where a step of the run ends on the rank `end`, back to the start of this step on the rank that
/// the path is then on. Steps that are left out of prices have one too. Empty if that rank lacks the step, or has no
/// device work. Stretches of work have no slices yet: see namePathSlices(). O(what is in the step).
[[nodiscard]] CriticalPath pathOfStep(const RunFacts& facts, RunStepPosition step, RankPosition end);

/// The path of `end` over all counted steps, as criticalPaths() sums it up: its times are RankFacts::path. The time
/// between these steps is left out, so stretches are not adjacent there. O(n) in the slices of a rank.
[[nodiscard]] CriticalPath pathOfSteadySteps(const RunFacts& facts, RankPosition end);

/// The rank on which a step of the run ends last, by the run's clock, of those with device work: the path that ends
/// there is what the step's end waited for. Nothing if no rank with device work has the step. O(ranks).
[[nodiscard]] std::optional<RankPosition> lastToEnd(const RunFacts& facts, const RunClock& clock, RunStepPosition step);

}  // namespace rankscope
