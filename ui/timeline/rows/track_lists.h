// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/timeline/rows/rank_tracks.h"
#include "ui/timeline/rows/row_choices.h"

namespace rankscope::ui {

/// The tracks of one rank that have slices, in their order.
struct TrackLists {
    std::vector<TrackId> streams;  ///< by device and number
    std::vector<TrackId> threads;  ///< the main thread first, then those that launch, then the busiest
    std::vector<TrackId> others;   ///< as in the trace
};

/// How many launch calls a track makes, as far as that is known yet.
[[nodiscard]] std::size_t launchesOf(const RankView& rank, TrackId track);

/// The tracks of a rank as they are by themselves: those of its index, or while that is being built, `made` from its
/// trace.
[[nodiscard]] const RankTracks& tracksOf(const RankView& rank, RankTracks& made);
/// Puts tracks that are together in the order that the user gave them, if any.
void putInOrder(const RankView& rank, const RowChoices& choices, std::vector<RankTracks::Listed>& list);
/// Sorts the tracks of a group: threads with the main one first, then those that launch, then the busiest; or as the
/// user has ordered them.
void sortGroup(const RankView& rank, const RowChoices& choices, TrackGroup group,
               std::vector<RankTracks::Listed>& tracks);
/// All three lists, sorted.
[[nodiscard]] TrackLists trackLists(const RankView& rank, const RowChoices& choices);

/// Moves `track` in its list to before `before`, or to the end where that is invalid.
void moveTrack(const RankView& rank, TrackId track, TrackId before, RowChoices& choices);

}  // namespace rankscope::ui
