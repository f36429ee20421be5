// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/track_lists.h"

#include <QCoreApplication>
#include <algorithm>
#include <charconv>

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

TrackLists trackLists(const RankView& rank, const RowChoices& choices) {
    const RankTrace& trace = *rank.trace;
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
    std::ranges::sort(out.streams, [&](TrackId a, TrackId b) { return streamBefore(trace, a, b); });
    const TrackId main = rank.facts != nullptr ? rank.facts->main_thread : TrackId();
    const auto order = [&](TrackId t) {
        return std::tuple(t != main, -static_cast<std::int64_t>(launchesOf(rank, t)),
                          -static_cast<std::int64_t>(trace.tracks[t.value].slices.size()));
    };
    std::ranges::stable_sort(out.threads, {}, order);
    for (auto* list : {&out.streams, &out.threads, &out.others}) {
        putInOrder(trace, choices, *list);
    }
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

QString rankTitle(const RankTrace& trace, std::uint32_t index) {
    return trace.rank ? QCoreApplication::translate("Timeline", "rank %1").arg(*trace.rank)
                      : QCoreApplication::translate("Timeline", "trace %1").arg(index + 1);
}

QString trackTitle(const RankTrace& trace, TrackId track) {
    const Track& of = trace.tracks[track.value];
    const std::string_view lane = trace.strings.view(of.lane);
    return of.name.empty() ? QString::fromUtf8(lane.data(), static_cast<qsizetype>(lane.size()))
                           : QString::fromStdString(of.name);
}

}  // namespace rankscope::ui
