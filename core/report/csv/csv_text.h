// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/tables/data_table.h"

namespace rankscope::report {

/// A table as CSV (RFC 4180), with a header line of the columns' keys. Texts that a spreadsheet would run as a formula
/// get an apostrophe in front.
[[nodiscard]] std::string csvText(const DataTable& table);

}  // namespace rankscope::report
