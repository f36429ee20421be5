// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/rank_tracks.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace rankscope::ui {
namespace {

bool streamBefore(const RankTrace& trace, TrackId a, TrackId b) {
    const Track& x = trace.tracks[a.value];
    const Track& y = trace.tracks[b.value];
    const auto number = [&](const Track& t) {
        const std::string_view lane = trace.strings.view(t.lane);
        std::int64_t value = INT64_MAX;
        std::from_chars(lane.data(), lane.data() + lane.size(), value);
        return value;
    };
    return std::tuple(x.device, number(x), a) < std::tuple(y.device, number(y), b);
}

}  // namespace

RankTracks::RankTracks(const RankTrace& trace) {
    std::vector<Listed> threads;
    std::vector<Listed> others;
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const Track& track = trace.tracks[t];
        if (track.slices.size() > 0) {
            auto& list = track.kind == TrackKind::Stream ? all_ : track.kind == TrackKind::CpuThread ? threads : others;
            list.push_back({TrackId(t), std::max<std::uint16_t>(1, track.row_count)});
        }
    }
    std::ranges::sort(all_, [&](const Listed& a, const Listed& b) { return streamBefore(trace, a.id, b.id); });
    streams_ = all_.size();
    threads_ = threads.size();
    all_.insert(all_.end(), threads.begin(), threads.end());
    all_.insert(all_.end(), others.begin(), others.end());
}

}  // namespace rankscope::ui
