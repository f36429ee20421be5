// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "ui/timeline/frame/metrics.h"

namespace rankscope::ui {

/// How the ranks share the height of the view. It follows what the user looks at; the user's own choices are
/// RowChoices.
struct RowFocus {
    /// Only the rank in focus shows its host threads, all others one host row; else each shows its threads where few
    /// ranks are open.
    bool one_rank = false;
    const void* rank = nullptr;  ///< the RankTrace in focus; nullptr: the first of the first run
    /// Logical pixels into which up to eight ranks are to fit, with rows as low as that takes; 0: rows keep their
    /// usual heights.
    int room = 0;
    friend bool operator==(const RowFocus&, const RowFocus&) = default;
};

/// Heights of the rows of one rank, in logical pixels.
struct RankHeights {
    int header = 0;
    int group = 0;  ///< header of a group of tracks, or the one host row in its place
    int row = 0;    ///< one row of slices, its gap included
    int gap = 0;    ///< below a track
    int band = 0;   ///< one kind of bands
};

/// How dense the rows of all ranks are.
struct RowDensity {
    RankHeights focus;            ///< of the rank that shows its host threads
    RankHeights others;           ///< of all others
    std::uint16_t some_rows = 0;  ///< of a deep track that are shown at first
};

/// The heights that `sizes` has, for all ranks.
[[nodiscard]] RowDensity looseDensity(const RowSizes& sizes, std::uint16_t some_rows);

/// How many densities there are, from loose to dense.
[[nodiscard]] std::size_t densityCount();
/// One of them: first the others become lower, then fewer rows of deep tracks are shown, then the rank in focus becomes
/// lower too.
[[nodiscard]] RowDensity densityAt(std::size_t level, const RowSizes& sizes);
/// The one where none lets all ranks fit: rows that can be read, and scrolled.
[[nodiscard]] std::size_t readableDensity();

}  // namespace rankscope::ui
