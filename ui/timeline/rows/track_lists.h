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

/// The number of launch calls of a track, as far as that is known yet.
[[nodiscard]] std::size_t launchesOf(const RankView& rank, TrackId track);

/// The tracks of a rank in their default order: those of its index, or while that is being built, `made` from its
/// trace.
[[nodiscard]] const RankTracks& tracksOf(const RankView& rank, RankTracks& made);
/// Puts the tracks of a list in the order that the user gave them, if any.
void putInOrder(const RankView& rank, const RowChoices& choices, std::vector<RankTracks::Listed>& list);
/// Sorts the tracks of a group: the main thread first, then threads that launch, then the busiest; or in the user's
/// order.
void sortGroup(const RankView& rank, const RowChoices& choices, TrackGroup group,
               std::vector<RankTracks::Listed>& tracks);
/// All three lists, sorted.
[[nodiscard]] TrackLists trackLists(const RankView& rank, const RowChoices& choices);

/// Moves `track` in its list before `before`, or to the end if that is invalid.
void moveTrack(const RankView& rank, TrackId track, TrackId before, RowChoices& choices);

}  // namespace rankscope::ui
