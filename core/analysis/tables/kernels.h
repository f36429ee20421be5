// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/device/work_class.h"
#include "core/analysis/tables/operators.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/run.h"

namespace rankscope {

/// All device work of one name and class on the rank's analysed device, over the whole window.
struct KernelRow {
    StringId name;  ///< index in the strings of the rank trace
    WorkClass work = WorkClass::None;
    std::uint64_t calls = 0;  ///< including those of length zero
    DurationNs total_ns = 0;  ///< summed durations
    DurationNs busy_ns = 0;   ///< the union of their times: less than the sum if they run at the same time
    DurationNs min_ns = 0;
    DurationNs max_ns = 0;
    DurationNs steady_ns = 0;  ///< the part of total_ns that complete, steady-state steps launched

    /// The mean duration of a call, total_ns / calls in whole nanoseconds rounded down; 0 without calls.
    [[nodiscard]] DurationNs meanNs() const { return calls == 0 ? 0 : total_ns / static_cast<DurationNs>(calls); }
};

/// The device work of one rank by name, the longest total first.
struct KernelTable {
    std::vector<KernelRow> rows;
    DurationNs device_busy_ns = 0;  ///< union of all rows: the total for shares
    std::size_t steady_steps = 0;   ///< number of steps that steady_ns covers
};

/// Linear in the device work. Needs RankFacts::steps with their outliers.
[[nodiscard]] KernelTable tabulateKernels(const RankContext& work, const ExplainedRank& facts);

/// The rows of one name and class, over all ranks.
struct RunKernel {
    std::string_view name;
    KernelRow all;  ///< the sum over ranks, also of busy_ns; its name is invalid
    std::vector<TableRow> ranks;
};

/// The tables of all ranks as one, the longest total first. Names are valid as long as the run.
[[nodiscard]] std::vector<RunKernel> kernelsOverRanks(const Run& run, std::span<const RankFacts> ranks);

}  // namespace rankscope
