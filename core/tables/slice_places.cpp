// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/slice_places.h"

#include <algorithm>

#include "core/tables/model_rows.h"

namespace rankscope::tables {

SlicePlaces::SlicePlaces(const Runs& runs) {
    for (const AnalysedRun* run : runs) {
        OfRun& of = runs_.emplace_back();
        of.run = run;
        for (RankPosition rank{0}; rank < run->run->ranks.size(); ++rank) {
            of.first_track.push_back(tracks_.size());
            const std::vector<Track>& tracks = run->run->ranks[rank]->tracks;
            for (std::uint32_t track = 0; track < tracks.size(); ++track) {
                tracks_.push_back({run, rank, TrackId(track), slices_});
                slices_ += tracks[track].slices.size();
            }
        }
    }
}

std::size_t SlicePlaces::trackOf(std::uint64_t slice) const {
    const auto after = std::ranges::upper_bound(tracks_, slice, {}, &OfTrack::first);
    return static_cast<std::size_t>(after - tracks_.begin()) - 1;
}

Value SlicePlaces::idOf(const AnalysedRun& run, RankPosition rank, SliceRef slice) const {
    const auto of = std::ranges::find(runs_, &run, &OfRun::run);
    if (!slice.valid() || of == runs_.end()) {
        return {};
    }
    return static_cast<std::int64_t>(tracks_[of->first_track[rank] + slice.track.value].first + slice.slice);
}

std::pair<const SlicePlaces::OfTrack*, SliceIndex> SlicePlaces::find(std::uint64_t slice) const {
    const OfTrack& track = tracks_[trackOf(slice)];
    return {&track, static_cast<SliceIndex>(slice - track.first)};
}

TimeSpan SlicePlaces::spanOf(std::uint64_t slice) const {
    const auto [track, i] = find(slice);
    const TimeSpan recorded = track->of().slices.span(i);
    const std::int64_t start_ns = onRunClock(*track->run, track->rank, recorded.start_ns);
    return {start_ns, start_ns + recorded.length()};
}

}  // namespace rankscope::tables
