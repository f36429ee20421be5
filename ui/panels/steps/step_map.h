// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.h"
#include "core/digest/step_table.h"

namespace rankscope::ui {

/// What colours the map of all steps of all ranks.
enum class StepMapMeasure : std::uint8_t { Compute, ExposedCommunication, Idle, Length };
inline constexpr std::size_t kStepMapMeasures = 4;

/// The measure of a cell, in nanoseconds. A step's length, which depends on other ranks, is alike on all ranks; a rank
/// that is slower itself stands out in its compute.
[[nodiscard]] DurationNs valueOf(const StepTableCell& cell, StepMapMeasure measure);

/// The order of the ranks on a map, and the typical value of each step.
struct StepMapRows {
    StepMapMeasure measure = StepMapMeasure::Compute;
    std::vector<std::size_t> apart;      ///< ranks that differ from the typical value, the highest above it first
    std::vector<std::size_t> alike;      ///< the others, which differ in no step by 3 % of the median step or more
    std::vector<DurationNs> typical_ns;  ///< by step: the median of all ranks
    DurationNs step_ns = 0;              ///< median length of all steps of all ranks
    DurationNs scale_ns = 1;             ///< from the typical value to where heat is 1

    /// How far a cell is above the typical value: 0 at or below it, 1 at the scale and above; nothing if it is not
    /// known.
    [[nodiscard]] std::optional<double> heat(const StepTable& table, std::size_t rank, std::size_t step) const;
};

/// Orders the ranks of a map by one measure. O(ranks x steps), plus sorting.
[[nodiscard]] StepMapRows rowsOf(const StepTable& table, StepMapMeasure measure);

}  // namespace rankscope::ui
