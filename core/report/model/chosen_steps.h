// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/analysed_run.h"
#include "core/report/model/data_table.h"

namespace rankscope::report {

/// Where only some steps of digests were read in full: which, why, and what the tables of the digests tell of all steps
/// and ranks, a paragraph a line. Empty where all that was asked for was read.
[[nodiscard]] std::vector<std::string> chosenStepsLines(const Run& run);

/// A row a step of the job, as the tables of digests tell it, where only some steps were read in full; else no rows.
[[nodiscard]] DataTable tabledStepsTable(const AnalysedRun& run);
/// A row a rank that took longer by itself in some steps than it mostly does, likewise: the most excess first.
[[nodiscard]] DataTable tabledRanksTable(const AnalysedRun& run);

}  // namespace rankscope::report
