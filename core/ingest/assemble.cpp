// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assemble.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <map>
#include <numeric>
#include <thread>
#include <tuple>
#include <unordered_set>

#include "core/ingest/nesting.h"
#include "core/ingest/slice_order.h"

namespace rankscope {
namespace {

/// One part's share of a track.
struct Share {
    PartialTrack* track = nullptr;
    const std::vector<StringId>* names = nullptr;  // ids of the part's pool to ids of the rank's
};

/// Which slices stay when only some steps are wanted.
struct Filter {
    bool everything = true;
    TimeSpan window;                                             // file clock, before the base is added
    const std::unordered_set<std::int64_t>* launched = nullptr;  // correlations of the host calls inside the window

    [[nodiscard]] bool keeps(TimeNs start, TimeNs end, Category category, std::int64_t correlation) const {
        if (everything) {
            return true;
        }
        if (isDeviceWork(category) && correlation != 0) {
            return launched->contains(correlation);
        }
        return start < window.end_ns && end > window.start_ns;
    }
};

/// N of "ProfilerStep#N".
std::optional<std::int64_t> stepNumber(std::string_view name) {
    constexpr std::string_view kPrefix = "ProfilerStep#";
    if (!name.starts_with(kPrefix)) {
        return std::nullopt;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// The host time of the steps that are wanted; empty where none of them is in the file.
TimeSpan windowOf(const std::vector<PartialTrace>& parts, const StepWindow& steps) {
    std::optional<TimeSpan> window;
    for (const PartialTrace& part : parts) {
        for (const PartialTrack& track : part.tracks) {
            for (std::size_t i = 0; i < track.size() && track.kind == TrackKind::CpuThread; ++i) {
                const std::optional<std::int64_t> number = stepNumber(part.strings.view(track.name[i]));
                if (number && *number >= steps.first.value_or(*number) && *number <= steps.last.value_or(*number)) {
                    window = window ? TimeSpan{std::min(window->start_ns, track.start_ns[i]),
                                               std::max(window->end_ns, track.end_ns[i])}
                                    : TimeSpan{track.start_ns[i], track.end_ns[i]};
                }
            }
        }
    }
    return window.value_or(TimeSpan{});
}

std::unordered_set<std::int64_t> launchedIn(const std::vector<PartialTrace>& parts, const TimeSpan& window) {
    std::unordered_set<std::int64_t> correlations;
    for (const PartialTrace& part : parts) {
        for (const PartialTrack& track : part.tracks) {
            for (const auto& [row, correlation] : track.correlation) {
                if (isLaunchCall(track.category[row]) && window.contains(track.start_ns[row])) {
                    correlations.insert(correlation);
                }
            }
        }
    }
    return correlations;
}

/// Drops what `filter` does not keep; rows of the sparse columns follow.
void applyFilter(PartialTrack& track, const Filter& filter) {
    std::vector<std::int64_t> correlation(track.size(), 0);
    for (const auto& [row, value] : track.correlation) {
        correlation[row] = value;
    }
    std::vector<SliceIndex> new_row(track.size(), kNoSlice);
    SliceIndex kept = 0;
    for (SliceIndex i = 0; i < track.size(); ++i) {
        if (filter.keeps(track.start_ns[i], track.end_ns[i], track.category[i], correlation[i])) {
            track.start_ns[kept] = track.start_ns[i];
            track.end_ns[kept] = track.end_ns[i];
            track.source[kept] = track.source[i];
            track.name[kept] = track.name[i];
            track.category[kept] = track.category[i];
            track.flag[kept] = track.flag[i];
            new_row[i] = kept++;
        }
    }
    track.start_ns.resize(kept);
    track.end_ns.resize(kept);
    track.source.resize(kept);
    track.name.resize(kept);
    track.category.resize(kept);
    track.flag.resize(kept);
    const auto follow = [&](auto& column) {
        std::erase_if(column, [&](const auto& v) { return new_row[v.row] == kNoSlice; });
        for (auto& v : column) {
            v.row = new_row[v.row];
        }
    };
    follow(track.correlation);
    follow(track.bytes);
    follow(track.collectives);
    follow(track.syncs);
}

/// Moves a column of all shares into one vector, freeing as it goes.
template <class T>
std::vector<T> joined(std::vector<Share>& shares, std::vector<T> PartialTrack::*column) {
    std::vector<T> all = std::move(shares.front().track->*column);
    for (std::size_t i = 1; i < shares.size(); ++i) {
        std::vector<T>& more = shares[i].track->*column;
        all.insert(all.end(), more.begin(), more.end());
        std::vector<T>().swap(more);
    }
    return all;
}

/// The same for a sparse column: rows become rows of the joined and sorted track.
template <class T>
SparseColumn<T> joinedSparse(std::vector<Share>& shares, const std::vector<std::size_t>& sizes,
                             const std::vector<SliceIndex>& rank_of, std::vector<RowValue<T>> PartialTrack::*column) {
    std::vector<RowValue<T>> all;
    std::size_t first_row = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        for (const RowValue<T>& v : shares[i].track->*column) {
            const std::size_t row = first_row + v.row;
            all.push_back({rank_of.empty() ? static_cast<SliceIndex>(row) : rank_of[row], v.value});
        }
        std::vector<RowValue<T>>().swap(shares[i].track->*column);
        first_row += sizes[i];
    }
    std::ranges::sort(all, {}, &RowValue<T>::row);
    SparseColumn<T> result;
    result.slice.reserve(all.size());
    result.value.reserve(all.size());
    for (RowValue<T>& v : all) {
        result.slice.push_back(v.row);
        result.value.push_back(std::move(v.value));
    }
    return result;
}

void mapIds(std::vector<Share>& shares) {
    for (Share& share : shares) {
        const std::vector<StringId>& to = *share.names;
        const auto map = [&](StringId& id) { id = id.valid() ? to[id.value] : id; };
        std::ranges::for_each(share.track->name, map);
        for (auto& [row, args] : share.track->collectives) {
            for (StringId* id : {&args.name, &args.dtype, &args.group_name, &args.group_description, &args.group_ranks,
                                 &args.comms_id}) {
                map(*id);
            }
        }
        for (auto& [row, args] : share.track->syncs) {
            map(args.kind);
        }
    }
}

struct TrackLinks {
    SparseColumn<std::int64_t> correlation;
    std::uint64_t overlapping = 0;
};

/// Builds one track from its shares.
TrackLinks buildTrack(std::vector<Share>& shares, TimeNs base_ns, Track& track) {
    mapIds(shares);
    std::vector<std::size_t> sizes;
    for (const Share& share : shares) {
        sizes.push_back(share.track->size());
    }
    SliceTable& slices = track.slices;
    slices.start_ns = joined(shares, &PartialTrack::start_ns);
    slices.end_ns = joined(shares, &PartialTrack::end_ns);
    slices.source = joined(shares, &PartialTrack::source);
    slices.name = joined(shares, &PartialTrack::name);
    slices.category = joined(shares, &PartialTrack::category);
    slices.flag = joined(shares, &PartialTrack::flag);
    const std::vector<SliceIndex> order = sliceOrder(slices);
    std::vector<SliceIndex> rank_of(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        rank_of[order[i]] = static_cast<SliceIndex>(i);
    }
    reorder(slices, order);
    TrackLinks links;
    links.correlation = joinedSparse(shares, sizes, rank_of, &PartialTrack::correlation);
    track.bytes = joinedSparse(shares, sizes, rank_of, &PartialTrack::bytes);
    track.collectives = joinedSparse(shares, sizes, rank_of, &PartialTrack::collectives);
    track.syncs = joinedSparse(shares, sizes, rank_of, &PartialTrack::syncs);
    if (base_ns != 0) {
        std::ranges::for_each(slices.start_ns, [&](TimeNs& t) { t += base_ns; });
        std::ranges::for_each(slices.end_ns, [&](TimeNs& t) { t += base_ns; });
    }
    slices.parent.resize(slices.size());
    slices.depth.resize(slices.size());
    track.row_count = track.kind == TrackKind::Stream ? stackSlices(slices, links.overlapping)
                                                      : nestSlices(slices, links.overlapping);
    return links;
}

void nameTrack(Track& track, const std::map<std::pair<StringId, StringId>, std::string>& lane_names,
               const StringPool& strings) {
    const std::string lane(strings.view(track.lane));
    const auto named = lane_names.find({track.process, track.lane});
    std::string name = named != lane_names.end() ? named->second : std::string();
    while (name.ends_with(' ')) {
        name.pop_back();
    }
    switch (track.kind) {
        case TrackKind::Stream: track.name = "stream " + lane; break;
        case TrackKind::StreamAnnotation: track.name = "stream " + lane + " annotations"; break;
        case TrackKind::StreamSync: track.name = lane == "-1" ? "device waits" : "stream " + lane + " waits"; break;
        default: track.name = name.empty() ? "thread " + lane : name;
    }
    std::int32_t device = -1;
    const std::string_view process = strings.view(track.process);
    std::from_chars(process.data(), process.data() + process.size(), device);
    const bool on_device = track.kind != TrackKind::CpuThread && track.kind != TrackKind::Other;
    track.device = on_device ? device : -1;
}

/// Host threads first, then streams; each sorted by process and lane as numbers.
void sortTracks(std::vector<std::vector<Share>>& shares, std::vector<Track>& tracks, const StringPool& strings) {
    const auto number = [&](StringId id) {
        const std::string_view text = strings.view(id);
        std::int64_t value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    };
    std::vector<std::size_t> order(tracks.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::size_t i) {
        const Track& t = tracks[i];
        return std::tuple(t.kind, number(t.process), number(t.lane), strings.view(t.process), strings.view(t.lane));
    });
    std::vector<std::vector<Share>> sorted_shares;
    std::vector<Track> sorted_tracks;
    for (const std::size_t i : order) {
        sorted_shares.push_back(std::move(shares[i]));
        sorted_tracks.push_back(std::move(tracks[i]));
    }
    shares = std::move(sorted_shares);
    tracks = std::move(sorted_tracks);
}

void takeMemory(std::vector<PartialTrace>& parts, TimeNs base_ns, MemoryTable& into) {
    std::vector<MemoryPoint> all;
    for (PartialTrace& part : parts) {
        all.insert(all.end(), part.memory.begin(), part.memory.end());
        std::vector<MemoryPoint>().swap(part.memory);
    }
    std::ranges::stable_sort(all, {}, &MemoryPoint::at_ns);
    for (const MemoryPoint& point : all) {
        into.at_ns.push_back(point.at_ns + base_ns);
        into.bytes.push_back(point.bytes);
        into.total_allocated.push_back(point.total_allocated);
        into.total_reserved.push_back(point.total_reserved);
        into.device.push_back(point.device);
    }
}

void takeHealth(std::vector<PartialTrace>& parts, Health& into) {
    std::uint64_t unkept = 0;
    for (PartialTrace& part : parts) {
        into.events += part.health.events;
        into.skipped += part.health.skipped;
        into.recovered += part.health.recovered;
        into.negative_durations += part.health.negative_durations;
        unkept += part.unkept;
        into.blemishes.insert(into.blemishes.end(), part.health.blemishes.begin(), part.health.blemishes.end());
    }
    // Each part kept its own first ones, in order: the first of all are among them.
    std::ranges::stable_sort(into.blemishes, {}, &Blemish::byte_offset);
    if (into.blemishes.size() > Health::kBlemishesKept) {
        into.blemishes.resize(Health::kBlemishesKept);
    }
    if (unkept > 0) {
        into.notes.push_back(std::to_string(unkept) +
                             " events are of kinds that are not shown (counters, begin/end pairs, async events).");
    }
}

/// Runs `job(i)` for 0 <= i < count on up to `threads` threads.
template <class Job>
void forEachIndex(std::size_t count, unsigned threads, const Job& job) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            job(i);
        }
    };
    std::vector<std::jthread> helpers;
    for (unsigned t = 1; t < threads && t < count; ++t) {
        helpers.emplace_back(work);
    }
    work();
}

}  // namespace

LinkInput assemble(std::vector<PartialTrace> parts, TimeNs base_ns, const StepWindow& steps, unsigned threads,
                   RankTrace& into) {
    std::unordered_set<std::int64_t> launched;
    if (!steps.everything()) {
        Filter filter{false, windowOf(parts, steps), nullptr};
        launched = launchedIn(parts, filter.window);
        filter.launched = &launched;
        for (PartialTrace& part : parts) {
            std::ranges::for_each(part.tracks, [&](PartialTrack& track) { applyFilter(track, filter); });
        }
    }
    LinkInput link;
    std::map<std::tuple<TrackKind, StringId, StringId>, std::size_t> index;
    std::map<std::pair<StringId, StringId>, std::string> lane_names;
    std::vector<std::vector<StringId>> names(parts.size());
    std::vector<std::vector<Share>> shares;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        PartialTrace& part = parts[p];
        std::vector<StringId>& to = names[p];
        for (std::uint32_t i = 0; i < part.strings.size(); ++i) {
            to.push_back(into.strings.intern(part.strings.view(StringId(i))));
        }
        part.strings = StringPool();
        for (PartialTrack& track : part.tracks) {
            const StringId process = to[track.process.value];
            const StringId lane = to[track.lane.value];
            const auto [at, inserted] = index.try_emplace({track.kind, process, lane}, shares.size());
            if (inserted) {
                shares.emplace_back();
                Track& made = into.tracks.emplace_back();
                made.kind = track.kind;
                made.process = process;
                made.lane = lane;
            }
            shares[at->second].push_back({&track, &to});
        }
        for (const LaneName& lane : part.lanes) {
            lane_names[{to[lane.process.value], to[lane.lane.value]}] = into.strings.view(to[lane.name.value]);
        }
        for (FlowPoint point : part.flows) {
            point.process = to[point.process.value];
            point.lane = to[point.lane.value];
            point.at_ns += base_ns;
            link.flows.push_back(point);
        }
        std::vector<FlowPoint>().swap(part.flows);
    }
    takeMemory(parts, base_ns, into.memory);
    takeHealth(parts, into.health);
    sortTracks(shares, into.tracks, into.strings);
    std::vector<TrackLinks> links(into.tracks.size());
    forEachIndex(into.tracks.size(), threads, [&](std::size_t i) {
        nameTrack(into.tracks[i], lane_names, into.strings);
        links[i] = buildTrack(shares[i], base_ns, into.tracks[i]);
    });
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        const Track& track = into.tracks[i];
        into.health.overlapping +=
            track.kind == TrackKind::Stream || track.kind == TrackKind::CpuThread ? links[i].overlapping : 0;
        into.health.slices += track.slices.size();
        std::vector<Correlated>& side = track.kind == TrackKind::Stream ? link.device : link.host;
        for (std::size_t k = 0; k < links[i].correlation.size(); ++k) {
            const SliceIndex slice = links[i].correlation.slice[k];
            if (track.kind == TrackKind::Stream || isLaunchCall(track.slices.category[slice])) {
                side.push_back({links[i].correlation.value[k], {TrackId(i), slice}});
            }
        }
    }
    return link;
}

}  // namespace rankscope
