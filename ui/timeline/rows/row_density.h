// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "ui/timeline/frame/metrics.h"

namespace rankscope::ui {

/// How the ranks share the height of the view. It follows the selection; the user's own choices are RowChoices.
struct RowFocus {
    /// Only the rank in focus shows its host threads, all others one host row; else each rank shows its threads if few
    /// ranks are open.
    bool one_rank = false;
    const void* rank = nullptr;  ///< the RankTrace in focus; nullptr: the first of the first run
    /// The height, in logical pixels, into which up to eight ranks should fit, with rows as low as needed; 0: rows keep
    /// their usual heights.
    int room = 0;
    friend bool operator==(const RowFocus&, const RowFocus&) = default;
};

/// Heights of the rows of one rank, in logical pixels.
struct RankHeights {
    int header = 0;
    int group = 0;  ///< header of a group of tracks, or the single host row that replaces it
    int row = 0;    ///< one row of slices, with its gap
    int gap = 0;    ///< below a track
    int band = 0;   ///< one kind of bands
};

/// How dense the rows of all ranks are.
struct RowDensity {
    RankHeights focus;            ///< for the rank that shows its host threads
    RankHeights others;           ///< for all others
    std::uint16_t some_rows = 0;  ///< rows of a deep track that are shown at first
};

/// The heights in `sizes`, for all ranks.
[[nodiscard]] RowDensity looseDensity(const RowSizes& sizes, std::uint16_t some_rows);

/// The number of densities, from loose to dense.
[[nodiscard]] std::size_t densityCount();
/// One of them: first the other ranks become lower, then deep tracks show fewer rows, then the rank in focus becomes
/// lower too.
[[nodiscard]] RowDensity densityAt(std::size_t level, const RowSizes& sizes);
/// The density if none lets all ranks fit: readable rows that scroll.
[[nodiscard]] std::size_t readableDensity();

}  // namespace rankscope::ui
