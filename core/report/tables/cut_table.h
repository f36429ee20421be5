// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/report/tables/table.h"

namespace rankscope::report {

/// As `rows` of functions that return the first rows of a table: all rows.
inline constexpr std::size_t kAllRows = static_cast<std::size_t>(-1);

/// The first rows of a table.
struct ShownRows {
    Table table;
    std::string rest;  ///< how many are left out, and where to find them; empty if all are shown
};

/// The first `most` rows of `table`, with a text that says how many are left out. `one` is the word for a row, as for
/// formatCounted(), and `where` says where all are: "and 16 more ranks, in --json".
[[nodiscard]] ShownRows cutTo(Table table, std::size_t most, std::string_view one, std::string_view where = "--json");

}  // namespace rankscope::report
