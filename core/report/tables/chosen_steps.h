// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/tables/data_table.h"

namespace rankscope::report {

/// If only some steps of digests were read in full: which, why, and what the tables of the digests show of all steps
/// and ranks, a paragraph per line. Empty if everything requested was read.
[[nodiscard]] std::vector<std::string> chosenStepsLines(const Run& run);

/// A row per step of the job, from the tables of digests, if only some steps were read in full; else no rows.
[[nodiscard]] DataTable tabledStepsTable(const AnalysedRun& run);
/// In the same case, a row per rank that took longer than usual in some steps without waiting for others: the largest
/// excess first.
[[nodiscard]] DataTable tabledRanksTable(const AnalysedRun& run);

}  // namespace rankscope::report
