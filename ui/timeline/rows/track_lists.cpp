// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/track_lists.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace rankscope::ui {
namespace {

// Streams by device and number, "stream 7" before "stream 20".
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

void putInOrder(const RankTrace& trace, const RowChoices& choices, std::vector<TrackId>& list) {
    const auto order = list.empty() ? choices.orders.end() : choices.orders.find(listOf(trace, list.front()));
    if (order != choices.orders.end()) {
        const auto& wanted = order->second;
        std::ranges::stable_sort(list, {}, [&](TrackId t) { return std::ranges::find(wanted, t.value); });
    }
}

}  // namespace

std::size_t launchesOf(const RankView& rank, TrackId track) {
    return rank.index != nullptr ? rank.index->launches[track.value] : 0;
}

TrackLists unsortedTracks(const RankTrace& trace) {
    TrackLists out;
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const Track& track = trace.tracks[t];
        if (track.slices.size() == 0) {
            continue;
        }
        auto& list = track.kind == TrackKind::Stream      ? out.streams
                     : track.kind == TrackKind::CpuThread ? out.threads
                                                          : out.others;
        list.emplace_back(t);
    }
    return out;
}

void sortStreams(const RankView& rank, const RowChoices& choices, std::vector<TrackId>& streams) {
    std::ranges::sort(streams, [&](TrackId a, TrackId b) { return streamBefore(*rank.trace, a, b); });
    putInOrder(*rank.trace, choices, streams);
}

void sortGroup(const RankView& rank, const RowChoices& choices, TrackGroup group, std::vector<TrackId>& tracks) {
    if (group == TrackGroup::Threads) {
        const TrackId main = rank.facts != nullptr ? rank.facts->main_thread : TrackId();
        const auto order = [&](TrackId t) {
            return std::tuple(t != main, -static_cast<std::int64_t>(launchesOf(rank, t)),
                              -static_cast<std::int64_t>(rank.trace->tracks[t.value].slices.size()));
        };
        std::ranges::stable_sort(tracks, {}, order);
    }
    putInOrder(*rank.trace, choices, tracks);
}

TrackLists trackLists(const RankView& rank, const RowChoices& choices) {
    TrackLists out = unsortedTracks(*rank.trace);
    sortStreams(rank, choices, out.streams);
    sortGroup(rank, choices, TrackGroup::Threads, out.threads);
    sortGroup(rank, choices, TrackGroup::Others, out.others);
    return out;
}

void moveTrack(const RankView& rank, TrackId track, TrackId before, RowChoices& choices) {
    const TrackLists lists = trackLists(rank, choices);
    const TrackListKey list_key = listOf(*rank.trace, track);
    for (const auto* list : {&lists.streams, &lists.threads, &lists.others}) {
        if (list->empty() || listOf(*rank.trace, list->front()) != list_key) {
            continue;
        }
        std::vector<std::uint32_t> order;
        for (const TrackId t : *list) {
            if (t == before) {
                order.push_back(track.value);
            }
            if (t != track) {
                order.push_back(t.value);
            }
        }
        if (std::ranges::find(order, track.value) == order.end()) {
            order.push_back(track.value);
        }
        choices.orders[list_key] = std::move(order);
    }
}

}  // namespace rankscope::ui
