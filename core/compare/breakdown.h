// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/facts.h"

namespace rankscope {

/// What a part of a step is: the partition of a rank's step, idle time by cause.
enum class StepPart : std::uint8_t { Compute, ExposedTransfer, ExposedWait, ExposedUnsplit, ExposedCopy, Idle };
[[nodiscard]] std::string_view stepPartName(StepPart part);  ///< as in the JSON: "exposed-transfer"

/// One part of the mean step, A against B.
struct BreakdownRow {
    StepPart part = StepPart::Compute;
    Cause cause = Cause::Unrecorded;  ///< where `part` is Idle
    DurationNs a_ns = 0;              ///< of A's mean step
    DurationNs b_ns = 0;
    [[nodiscard]] DurationNs differenceNs() const { return b_ns - a_ns; }
};
[[nodiscard]] std::string breakdownTitle(const BreakdownRow& row);  ///< for people: "Idle: DataLoader"

/// Where the time of the mean step went, A against B: over the steps of all ranks with device work in the complete,
/// steady-state steps of the run, on each rank's own clock. Sums are taken in whole nanoseconds and divided last, along
/// the rows. So the rows of A add up to A's mean step, those of B to B's, and the differences to that of the two, to
/// the nanosecond; each row is less than a nanosecond off its own mean.
struct Breakdown {
    std::size_t a_steps = 0;  ///< (rank, step) pairs
    std::size_t b_steps = 0;
    DurationNs a_step_ns = 0;  ///< the mean, rounded down
    DurationNs b_step_ns = 0;
    std::vector<BreakdownRow> rows;  ///< one a part and one a cause of idle time, in the order of a waterfall
};

/// One rank of each run.
struct RanksToCompare {
    RankPosition a;
    RankPosition b;
};

/// Of all ranks, or of one of each run. Nothing if a run has no such step.
[[nodiscard]] std::optional<Breakdown> breakDown(const RunFacts& a, const RunFacts& b,
                                                 std::optional<RanksToCompare> only = {});

/// What the device of a rank did in a stretch of time.
struct StretchParts {
    DurationNs compute_ns = 0;        ///< |K| in the stretch
    DurationNs communication_ns = 0;  ///< |C - K|
    DurationNs copy_ns = 0;           ///< |M - K - C|
    DurationNs idle_ns = 0;           ///< the rest; the four add up to the stretch
    CauseTimes idle_causes;           ///< adds up to idle_ns, as far as the stretch is in steps
};

/// `span` is on the rank's file clock. Linear in the device's work and gaps.
[[nodiscard]] StretchParts stretchParts(const RankFacts& facts, const TimeSpan& span);

}  // namespace rankscope
