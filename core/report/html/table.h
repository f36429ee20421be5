// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/report/model/data_table.h"
#include "core/report/model/table.h"

namespace rankscope::report {

/// These columns of a table of facts, as a page shows them. Where the number of some rank is not known, its position
/// among the ranks stands beside it, since the table must still say which rank a row is about.
[[nodiscard]] DataTable forPage(const DataTable& table, const std::vector<std::string_view>& keys);

/// A table for people that holds the exact values too: data-table is its name, data-key a column's key, and data-v the
/// number in a cell. `caption` names it for those who cannot see it.
[[nodiscard]] std::string htmlTable(const DataTable& table, std::string_view caption);

/// A table of texts, as the other reports have it, made ready for the page.
[[nodiscard]] DataTable asData(const Table& texts, const std::string& name);

}  // namespace rankscope::report
