// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/parallelism/grid_places.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

/// The dimensions that a map of the grid shows as axes: indices in JobGrid::dimensions.
struct GridAxes {
    std::optional<std::size_t> across;
    std::optional<std::size_t> down;
    friend bool operator==(const GridAxes&, const GridAxes&) = default;
};

/// Stages from left to right, as in usual drawings of pipelines, else the largest dimension; downwards the largest of
/// the others.
[[nodiscard]] GridAxes defaultAxes(const JobGrid& grid);

/// A rank of the job on the map.
struct GridCell {
    int block = 0;  ///< index in GridCells::blocks
    int row = 0;    ///< in its block
    int column = 0;
    std::optional<RankPosition> rank;  ///< nothing: there is no file of this rank
    std::optional<RankNumber> number;  ///< for a rank without a file, if its number is known
};

/// What the cells of a block have in common.
struct GridBlock {
    std::vector<std::pair<Role, std::int32_t>> places;  ///< in the dimensions that are not axes
    int copy = 0;  ///< if the dimensions do not distinguish them: which of the ranks with these places, from 1
    bool place_unknown = false;  ///< for ranks that do not have all places
};

/// The layout of a map of the grid: blocks of cells, each up to `rows` x `columns` large.
struct GridCells {
    GridAxes axes;
    int rows = 0;
    int columns = 0;
    std::vector<GridBlock> blocks;
    std::vector<GridCell> cells;  ///< in reading order: by block, row and column
    bool wrapped = false;         ///< rows continue in the next row: there are no axes to name

    /// The number of ranks of the job without a file.
    [[nodiscard]] std::size_t missing() const;
};

/// The ranks of a run, recorded or not, as a map along two dimensions of their grid, with a block of cells for each
/// place in the others; by number if the grid has no dimension. O(cells log cells).
[[nodiscard]] GridCells cellsOf(const AnalysedRun& run, const GridAxes& axes);

}  // namespace rankscope::ui
