// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/report/tables/data_table.h"

namespace rankscope::report {

/// A text as a field of CSV (RFC 4180): quoted where it has to be, without control characters that would reach a
/// terminal, and with an apostrophe in front where a spreadsheet would run it as a formula.
[[nodiscard]] std::string csvField(std::string_view text);

/// A table as CSV (RFC 4180), with a header line of the columns' keys. Texts that a spreadsheet would run as a formula
/// get an apostrophe in front.
[[nodiscard]] std::string csvText(const DataTable& table);

}  // namespace rankscope::report
