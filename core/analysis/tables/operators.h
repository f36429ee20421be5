// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/run.h"
#include "core/trace/slice_table.h"

namespace rankscope {

struct ExplainedRank;
struct RankFacts;
struct RankContext;

/// The host time of all calls of one name, over the whole window, as PyTorch's key_averages() counts: operators, named
/// ranges, runtime and driver calls; without Python functions.
struct OperatorRow {
    StringId name;  ///< index in the strings of the rank trace; all `ProfilerStep#N` are one row, under the name of the
                    ///< first
    std::uint64_t calls = 0;
    DurationNs total_ns = 0;   ///< time of calls that are not inside another call of that name: recursion counts once
    DurationNs summed_ns = 0;  ///< time of all calls
    DurationNs self_ns = 0;    ///< time without a call of another row inside
    DurationNs min_ns = 0;
    DurationNs max_ns = 0;
    /// Summed durations of the device work launched beneath; for nested calls of that name once.
    DurationNs device_ns = 0;
    DurationNs device_self_ns = 0;  ///< the part launched without an operator in between
    DurationNs steady_self_ns = 0;  ///< the part of self_ns in calls that began in complete, steady-state steps

    /// The mean duration of a call, nested ones included: summed_ns / calls in whole nanoseconds rounded down; 0
    /// without calls.
    [[nodiscard]] DurationNs meanNs() const { return calls == 0 ? 0 : summed_ns / static_cast<DurationNs>(calls); }
};

/// The operators of one rank, the longest self time first. The self times of all rows add up to the time in which the
/// host threads recorded anything, summed over threads; device_self_ns adds up to all device work with a known launch.
struct OperatorTable {
    std::vector<OperatorRow> rows;
    std::size_t steady_steps = 0;  ///< number of steps that steady_self_ns covers
    [[nodiscard]] DurationNs selfNs() const;
};

/// Linear in the slices of the host threads. Needs RankFacts::steps with their outliers.
[[nodiscard]] OperatorTable tabulateOperators(const RankContext& work, const ExplainedRank& facts);

/// One row of one rank's table.
struct TableRow {
    RankPosition rank;
    std::uint32_t row = 0;
};

/// The rows of one name, over all ranks.
struct RunOperator {
    std::string_view name;  ///< "ProfilerStep*" for the marks of all steps
    OperatorRow all;        ///< the sum over ranks; its name is invalid
    std::vector<TableRow> ranks;
};

/// The tables of all ranks as one, the longest self time first. Names are valid as long as the run.
[[nodiscard]] std::vector<RunOperator> operatorsOverRanks(const Run& run, std::span<const RankFacts> ranks);

/// The self time of a slice: the part that no slice directly inside it covers. Where slices inside it overlap, their
/// time counts once. Linear in the slices inside it, at any depth.
[[nodiscard]] DurationNs selfTime(const SliceTable& slices, SliceIndex slice);
/// The same of each slice. Linear.
[[nodiscard]] std::vector<DurationNs> selfTimes(const SliceTable& slices);

}  // namespace rankscope
