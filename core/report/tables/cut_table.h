// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/report/tables/table.h"

namespace rankscope::report {

/// All rows of what gives a table of the first rows.
inline constexpr std::size_t kAllRows = static_cast<std::size_t>(-1);

/// The first rows of a table.
struct ShownRows {
    Table table;
    std::string rest;  ///< how many are left out, and where they are; empty if all are there
};

/// The first `most` rows of `table`: what is left out is said, never lost without a word. `one` is what a row is, as
/// formatCounted() has it, and `where` who has them all: "and 16 more ranks, in --json".
[[nodiscard]] ShownRows cutTo(Table table, std::size_t most, std::string_view one, std::string_view where = "--json");

}  // namespace rankscope::report
