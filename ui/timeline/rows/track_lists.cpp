// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/track_lists.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace rankscope::ui {
namespace {

std::vector<TrackId> idsOf(const std::vector<RankTracks::Listed>& tracks) {
    std::vector<TrackId> ids;
    ids.reserve(tracks.size());
    std::ranges::transform(tracks, std::back_inserter(ids), &RankTracks::Listed::id);
    return ids;
}

}  // namespace

std::size_t launchesOf(const RankView& rank, TrackId track) {
    return rank.index != nullptr ? rank.index->launches[track.value] : 0;
}

const RankTracks& tracksOf(const RankView& rank, RankTracks& made) {
    if (rank.index != nullptr) {
        return rank.index->listed;
    }
    made = RankTracks(*rank.trace);
    return made;
}

void putInOrder(const RankView& rank, const RowChoices& choices, std::vector<RankTracks::Listed>& list) {
    if (choices.orders.empty() || list.empty()) {
        return;
    }
    if (const auto order = choices.orders.find(listOf(*rank.trace, list.front().id)); order != choices.orders.end()) {
        const auto& wanted = order->second;
        std::ranges::stable_sort(list, {}, [&](const auto& t) { return std::ranges::find(wanted, t.id.value); });
    }
}

void sortGroup(const RankView& rank, const RowChoices& choices, TrackGroup group,
               std::vector<RankTracks::Listed>& tracks) {
    if (group == TrackGroup::Threads) {
        const TrackId main = rank.facts != nullptr ? rank.facts->main_thread : TrackId();
        const auto order = [&](const RankTracks::Listed& t) {
            return std::tuple(t.id != main, -static_cast<std::int64_t>(launchesOf(rank, t.id)),
                              -static_cast<std::int64_t>(rank.trace->tracks[t.id.value].slices.size()));
        };
        std::ranges::stable_sort(tracks, {}, order);
    }
    putInOrder(rank, choices, tracks);
}

TrackLists trackLists(const RankView& rank, const RowChoices& choices) {
    RankTracks made;
    const RankTracks& tracks = tracksOf(rank, made);
    const auto list = [](std::span<const RankTracks::Listed> of) { return std::vector(of.begin(), of.end()); };
    std::vector<RankTracks::Listed> streams = list(tracks.streams());
    std::vector<RankTracks::Listed> threads = list(tracks.threads());
    std::vector<RankTracks::Listed> others = list(tracks.others());
    putInOrder(rank, choices, streams);
    sortGroup(rank, choices, TrackGroup::Threads, threads);
    sortGroup(rank, choices, TrackGroup::Others, others);
    return {idsOf(streams), idsOf(threads), idsOf(others)};
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
