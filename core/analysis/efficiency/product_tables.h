// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/analysis/efficiency/efficiency.h"

namespace rankscope {

/// Sorts the rows of tables: the longest first, rows of equal time by name and inputs.
void sortRows(ProductTables& tables);

/// The rows of all ranks, merged for the run: each call, kernel or name once, sorted as sortRows() does.
[[nodiscard]] ProductTables tablesOfAll(std::span<const ProductTables> ranks);

}  // namespace rankscope
