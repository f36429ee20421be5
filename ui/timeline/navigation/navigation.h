// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

// Where to go from a selection. Each returns nothing (std::monostate) if there is no target.

/// The previous or next slice on the same row. From a gap, a band or a late rank, the device work of the rank that
/// ended last before it or begins first after it: for a gap, the work that ends it.
[[nodiscard]] Selection neighbourSlice(const TimelineModel& model, const Selection& from, Direction direction);
/// The previous or next gap, on the rank of the selection; without a selection, on the first rank from `at` on.
[[nodiscard]] Selection neighbourGap(const TimelineModel& model, const Selection& from, TimeNs at, Direction direction);
/// Forward: from a host slice to the first device work launched inside it, else from a forward operator to its
/// backward. Back: from device work to its launch call, else to the forward operator.
[[nodiscard]] Selection linkedSlice(const TimelineModel& model, const Selection& from, Direction direction);

/// The outermost slice of a track that contains `at`, or is nearest to it.
[[nodiscard]] Selection sliceNear(const TimelineModel& model, std::uint32_t run, RankPosition rank, TrackId track,
                                  TimeNs at);
/// Where to begin without a selection: on the topmost track with a slice in `window` (on the axis), the first slice
/// that begins there, else the one that extends into it, on the topmost line in view. `rows` and `height` say which
/// rows are in view, in logical pixels.
[[nodiscard]] Selection firstSliceInSight(const TimelineModel& model, const RowLayout& layout, const RowScroll& rows,
                                          int height, const TimeSpan& window);
/// Forward: the first slice inside a slice, else the one nearest in time on the next track below. Back: the slice that
/// encloses it, else on the track above. From other selections, or without one, the slice nearest to `at` on the first
/// track of the selection's rank, or else on the first track below `y` (logical pixels of the rows).
[[nodiscard]] Selection sliceOfNextRow(const TimelineModel& model, const RowLayout& layout, const Selection& from,
                                       TimeNs at, int y, Direction direction);

}  // namespace rankscope::ui
