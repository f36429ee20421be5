// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/analysis/efficiency/efficiency.h"

namespace rankscope {

/// Puts rows in the order of tables: the longest first, those of one time by what they are of.
void sortRows(ProductTables& tables);

/// The rows of all ranks as those of the run: the same call, kernel or name once, in the order of tables.
[[nodiscard]] ProductTables tablesOfAll(std::span<const ProductTables> ranks);

}  // namespace rankscope
