// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <utility>
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
    /// The slice with an id below slices(), and its track. O(log tracks).
    [[nodiscard]] std::pair<const OfTrack*, SliceIndex> find(std::uint64_t slice) const;
    /// Its time on the run's clock, from the run's first instant.
    [[nodiscard]] TimeSpan spanOf(std::uint64_t slice) const;
    /// Calls `visit` with each run and each position of its ranks, in their order.
    template <class Visit>
    void eachRank(const Visit& visit) const {
        for (const OfRun& of : runs_) {
            for (RankPosition rank{0}; rank < of.first_track.size(); ++rank) {
                visit(*of.run, rank);
            }
        }
    }

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
