// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "core/analysis/device/area_sums.h"
#include "core/tables/table.h"

namespace rankscope::tables {

/// The name of selectionTable().
inline constexpr std::string_view kSelectionTable = "selection";

/// An area of one of the runs that a table is made of.
struct AreaOfRun {
    std::size_t run = 0;  ///< index in Runs
    Area area;
};

/// The slices that touch an area of a run, with the columns of `slice`, so that its `id` is slice.id. Without an area
/// it is empty. `area` is called each time that the rows are made, which takes O(slices of the area's tracks).
[[nodiscard]] Table selectionTable(std::function<std::optional<AreaOfRun>()> area);

}  // namespace rankscope::tables
