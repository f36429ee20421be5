// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <vector>

#include "core/ingest/assembly/nesting.h"
#include "core/ingest/assembly/partial_trace.h"
#include "core/trace/track.h"

namespace rankscope {

/// One part's share of a track.
struct Share {
    PartialTrack* track = nullptr;
    const std::vector<StringId>* names = nullptr;  // from ids of the part's pool to ids of the rank's
};

/// Data for joining launches, and for the health, after building a track.
struct TrackLinks {
    SparseColumn<std::int64_t> correlation;
    Rows rows;  ///< from arrangeTrack()
};

/// Fills the tables of `track` with all its shares, sorted but not yet arranged on rows; `base_ns` is added to all
/// times. The shares are consumed column by column, so that only one column is in memory twice. All times and `base_ns`
/// are within kFarthestTime. A stop ends it early, and leaves a track that must not be used.
[[nodiscard]] TrackLinks buildTrack(std::vector<Share>& shares, TimeNs base_ns, Track& track,
                                    const std::stop_token& stop = {});

/// Arranges the slices of a built track on rows, and nests those of a host thread. See nestSlices() for `slack_ns`, the
/// error of rounded times. A stop ends it early, as above.
[[nodiscard]] Rows arrangeTrack(Track& track, DurationNs slack_ns, const std::stop_token& stop = {});

}  // namespace rankscope
