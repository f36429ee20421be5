// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/report/json/report.h"

namespace rankscope {

/// One file of the CSV report.
struct CsvFile {
    std::string name;  ///< "steps.csv"
    std::string text;  ///< RFC 4180, UTF-8: a line of column names, then a row a line, each ended by CR LF
};

/// The facts and findings of `rankscope-cli analyze` as tables for spreadsheets and scripts, a file each; all runs
/// share a file and are told apart by its first column. Columns are named and meant as the fields of the JSON report,
/// with the unit in the name; `id` is a position in the run's ranks. A field is empty where the JSON has null.
/// Texts that begin like a formula (=, +, -, @) have an apostrophe in front, so that no spreadsheet runs a name out of
/// somebody else's trace.
[[nodiscard]] std::vector<CsvFile> csvReport(const ReportInput& input);

}  // namespace rankscope
