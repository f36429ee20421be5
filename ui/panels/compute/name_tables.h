// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/tables/data_table.h"

namespace rankscope::ui {

/// The kernels and copies of one rank, or of all ranks together: a row per name. Column "name" has the name.
[[nodiscard]] report::DataTable kernelTable(const AnalysedRun& run, std::optional<RankPosition> rank);
/// The same for the operators, named ranges and calls of the host; longest self time first, like key_averages().
[[nodiscard]] report::DataTable operatorTable(const AnalysedRun& run, std::optional<RankPosition> rank);

}  // namespace rankscope::ui
