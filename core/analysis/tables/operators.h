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

/// What all calls of one name took on the host, over the whole window, as PyTorch's key_averages() counts: operators,
/// named ranges, runtime and driver calls; Python functions are no part of it.
struct OperatorRow {
    StringId name;  ///< of the rank trace; all `ProfilerStep#N` are one row, under the name of the first
    std::uint64_t calls = 0;
    DurationNs total_ns = 0;   ///< of the calls that are in no other call of that name: recursion counts once
    DurationNs summed_ns = 0;  ///< of all calls
    DurationNs self_ns = 0;    ///< while no other row's call was inside
    DurationNs min_ns = 0;
    DurationNs max_ns = 0;
    /// Durations of the device work launched beneath, summed; of nested calls of that name once.
    DurationNs device_ns = 0;
    DurationNs device_self_ns = 0;  ///< the part launched with no operator between
    DurationNs steady_self_ns = 0;  ///< the part of self_ns of calls that began in complete, steady-state steps

    /// The mean duration of a call, nested ones included: summed_ns / calls in whole nanoseconds rounded down; 0
    /// without calls.
    [[nodiscard]] DurationNs meanNs() const { return calls == 0 ? 0 : summed_ns / static_cast<DurationNs>(calls); }
};

/// The operators of one rank, the longest self time first. The self times of all rows add up to the time in which the
/// host threads recorded anything, each thread by itself; the device_self_ns to all device work with a known launch.
struct OperatorTable {
    std::vector<OperatorRow> rows;
    std::size_t steady_steps = 0;  ///< what steady_self_ns is over
    [[nodiscard]] DurationNs selfNs() const;
};

/// Linear in the slices of the host threads. Needs RankFacts::steps with their outliers.
[[nodiscard]] OperatorTable tabulateOperators(const RankContext& work, const ExplainedRank& facts);

/// One row of one rank's table.
struct TableRow {
    RankPosition rank;
    std::uint32_t row = 0;
};

/// The rows of one name of all ranks.
struct RunOperator {
    std::string_view name;  ///< "ProfilerStep*" for the marks of all steps
    OperatorRow all;        ///< the sum over ranks; its name is invalid
    std::vector<TableRow> ranks;
};

/// The tables of all ranks as one, the longest self time first. Names live as long as the run.
[[nodiscard]] std::vector<RunOperator> operatorsOverRanks(const Run& run, std::span<const RankFacts> ranks);

/// The self time of a slice: the part of it that no slice directly inside it covers. What several slices inside it
/// cover together, where they partly overlap, counts once. Linear in the slices inside it, however deep.
[[nodiscard]] DurationNs selfTime(const SliceTable& slices, SliceIndex slice);

}  // namespace rankscope
