// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/tables/table.h"

namespace rankscope::tables {

/// The tracks of all ranks of some runs in their order, and the ids of their slices, which are consecutive over the
/// tracks.
class SlicePlaces {
  public:
    struct OfTrack {
        const AnalysedRun* run = nullptr;
        RankPosition rank;
        TrackId track;
        std::uint64_t first = 0;  ///< id of its first slice

        /// The trace of its rank.
        [[nodiscard]] const RankTrace& trace() const { return *run->run->ranks[rank]; }
        /// The track itself.
        [[nodiscard]] const Track& of() const { return trace().tracks[track.value]; }
    };

    explicit SlicePlaces(const Runs& runs);

    /// Indexed by the `id` of the table `track`.
    [[nodiscard]] const std::vector<OfTrack>& tracks() const { return tracks_; }
    [[nodiscard]] std::uint64_t slices() const { return slices_; }
    /// The index in tracks() of the track of a slice. O(log tracks).
    [[nodiscard]] std::size_t trackOf(std::uint64_t slice) const;
    /// The id of a slice of a rank; null if it is invalid. O(runs).
    [[nodiscard]] Value idOf(const AnalysedRun& run, RankPosition rank, SliceRef slice) const;

  private:
    struct OfRun {
        const AnalysedRun* run = nullptr;
        std::vector<std::size_t> first_track;  // by rank: index in tracks_
    };

    std::vector<OfTrack> tracks_;
    std::vector<OfRun> runs_;
    std::uint64_t slices_ = 0;
};

}  // namespace rankscope::tables
