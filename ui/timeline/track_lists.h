// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/timeline/row_choices.h"

namespace rankscope::ui {

/// The tracks of one rank that have slices, in the order in which they stand.
struct TrackLists {
    std::vector<TrackId> streams;  ///< by device and number
    std::vector<TrackId> threads;  ///< the main thread first, then those that launch, then the busiest
    std::vector<TrackId> others;   ///< as in the trace
};

/// How many launch calls a track makes, as far as that is known yet.
[[nodiscard]] std::size_t launchesOf(const RankView& rank, TrackId track);

/// Sorts the tracks of a rank; where the user has put them in an order, in that one.
[[nodiscard]] TrackLists trackLists(const RankView& rank, const RowChoices& choices);

/// Moves `track` in its list to before `before`, or to the end where that is invalid.
void moveTrack(const RankView& rank, TrackId track, TrackId before, RowChoices& choices);

/// For people: "rank 3", or "trace 2" of one that does not say which it is.
[[nodiscard]] QString rankTitle(const RankTrace& trace, std::uint32_t index);
/// For people: "stream 7".
[[nodiscard]] QString trackTitle(const RankTrace& trace, TrackId track);

}  // namespace rankscope::ui
