// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct sqlite3;

namespace rankscope::query {

/// Adds the aggregates that SQL lacks: median(x), percentile(x, p) with p from 0 to 100 and linear interpolation,
/// stddev(x) of a sample, and union_ns(start, end), the length of the union of half-open intervals. Nulls are left out.
/// SQLite's code of what went wrong, or SQLITE_OK.
[[nodiscard]] int addFunctions(sqlite3* database);

}  // namespace rankscope::query
