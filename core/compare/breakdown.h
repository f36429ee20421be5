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

/// A part of a step. Idle time is divided further, by cause.
enum class StepPart : std::uint8_t { Compute, ExposedTransfer, ExposedWait, ExposedUnsplit, ExposedCopy, Idle };
[[nodiscard]] std::string_view stepPartName(StepPart part);  ///< as in the JSON: "exposed-transfer"

/// One part of the mean step, A against B.
struct BreakdownRow {
    StepPart part = StepPart::Compute;
    Cause cause = Cause::Unrecorded;  ///< if `part` is Idle
    DurationNs a_ns = 0;              ///< in A's mean step
    DurationNs b_ns = 0;
    [[nodiscard]] DurationNs differenceNs() const { return b_ns - a_ns; }
};
[[nodiscard]] std::string breakdownTitle(const BreakdownRow& row);  ///< shown to users: "Idle: DataLoader"

/// Where the time of the mean step went, A against B. Covers the complete, steady-state steps with device work of all
/// ranks, each on its rank's own clock. Sums are in whole nanoseconds and divided last, so the rows add up to the mean
/// step to the nanosecond, in A, in B and in their difference. Each row is less than 1 ns off its own mean.
struct Breakdown {
    std::size_t a_steps = 0;  ///< (rank, step) pairs
    std::size_t b_steps = 0;
    DurationNs a_step_ns = 0;  ///< the mean, rounded down
    DurationNs b_step_ns = 0;
    std::vector<BreakdownRow> rows;  ///< one per part, and one per cause of idle time, as in a waterfall
};

/// One rank of each run.
struct RanksToCompare {
    RankPosition a;
    RankPosition b;
};

/// Over all ranks, or over one rank of each run. Nothing if a run has no such step.
[[nodiscard]] std::optional<Breakdown> breakDown(const RunFacts& a, const RunFacts& b,
                                                 std::optional<RanksToCompare> only = {});

/// What a rank's device did in a stretch of time. K, C and M are the times with compute, communication and copies.
struct StretchParts {
    DurationNs compute_ns = 0;        ///< |K| in the stretch
    DurationNs communication_ns = 0;  ///< |C - K|
    DurationNs copy_ns = 0;           ///< |M - K - C|
    DurationNs idle_ns = 0;           ///< the rest; the four add up to the stretch
    CauseTimes idle_causes;           ///< adds up to the part of idle_ns that is in steps
};

/// `span` is on the rank's file clock. Linear in the rank's device work and gaps.
[[nodiscard]] StretchParts stretchParts(const RankFacts& facts, const TimeSpan& span);

}  // namespace rankscope
