// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/parallelism/parallelism.h"
#include "core/trace/run.h"

namespace rankscope {

/// The dimension of a role, as an index in JobGrid::dimensions; nothing if the grid has none.
[[nodiscard]] std::optional<std::size_t> dimensionOf(const JobGrid& grid, Role role);

/// The place of a rank in the dimension of a role, from 0; nothing if there is no such dimension, or if its place is
/// unknown or not known yet.
[[nodiscard]] std::optional<std::int32_t> placeIn(const JobGrid& grid, Role role, RankPosition rank);

/// Ranks with the same place in a dimension.
struct RanksOfPlace {
    std::optional<std::int32_t> place;  ///< nothing: ranks whose place is unknown
    std::vector<RankPosition> ranks;    ///< in the given order
};
/// `ranks` by their place in the dimension of a role, ascending, those of unknown place last. Empty if the grid has no
/// such dimension. O(n log n).
[[nodiscard]] std::vector<RanksOfPlace> ranksByPlace(const JobGrid& grid, Role role,
                                                     std::span<const RankPosition> ranks);

/// How the numbers of ranks follow from their places: number = first + sum of place x stride over the dimensions.
class GridNumbers {
  public:
    /// Checks this with all ranks of `run` whose places are known: unless each has the number that its places give,
    /// there are no numbers.
    GridNumbers(const Run& run, const JobGrid& grid);
    /// The number of the rank at these places, one per dimension, recorded or not; nothing if unknown.
    [[nodiscard]] std::optional<RankNumber> at(std::span<const std::int32_t> places) const;

  private:
    std::vector<std::int64_t> strides_;  // one per dimension; empty if numbers do not follow from places
    std::int64_t first_ = 0;             // the number at place 0 of every dimension
};

}  // namespace rankscope
