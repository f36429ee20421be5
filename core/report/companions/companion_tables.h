// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/companions/companions.h"
#include "core/report/tables/data_table.h"
#include "core/tables/table.h"

namespace rankscope::report {

/// What the logs and dumps of a job say, as tables next to those of its runs. Without logs, or dumps, their tables are
/// empty. Logs are joined with the runs when rows are first made; after that all of these tables share the result, so
/// they are for one thread at a time.
[[nodiscard]] std::vector<tables::Table> companionTables(const JobCompanions& companions);

/// What companionTables() are called for people, in their order. Those of dumps come last.
inline constexpr std::array<std::string_view, 8> kCompanionTitles = {"Communicators in NCCL's logs",
                                                                     "Process groups in NCCL's logs",
                                                                     "Calls in NCCL's logs",
                                                                     "Settings in NCCL's logs",
                                                                     "Findings in NCCL's logs",
                                                                     "Ranks in flight recorder dumps",
                                                                     "Process groups in flight recorder dumps",
                                                                     "Calls in flight recorder dumps"};
/// Whether the table with this index has rows only if there are dumps; the others need logs.
[[nodiscard]] constexpr bool isTableOfDumps(std::size_t table) {
    return kCompanionTitles[table].ends_with("dumps");
}

/// A table for people and for CSV, with all cells.
[[nodiscard]] DataTable dataTableOf(const tables::Table& table, const tables::Runs& runs);

}  // namespace rankscope::report
