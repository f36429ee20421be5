// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/assemble.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rankscope {
namespace {

/// Carries ids and slices of the later trace into the earlier one.
struct Translation {
    std::vector<StringId> strings;
    std::vector<TrackId> tracks;
    std::vector<SliceIndex> first_slice;  // where the later slices of each track begin
    std::uint16_t first_file = 0;

    [[nodiscard]] StringId operator()(StringId id) const { return id.valid() ? strings[id.value] : id; }
    [[nodiscard]] SliceRef operator()(SliceRef ref) const {
        return ref.valid() ? SliceRef{tracks[ref.track.value], first_slice[ref.track.value] + ref.slice} : ref;
    }
};

template <class T, class Map>
void append(std::vector<T>& to, const std::vector<T>& from, const Map& map) {
    to.reserve(to.size() + from.size());
    std::ranges::transform(from, std::back_inserter(to), map);
}

template <class T, class Map>
void append(SparseColumn<T>& to, const SparseColumn<T>& from, SliceIndex first, const Map& map) {
    append(to.slice, from.slice, [&](SliceIndex i) { return first + i; });
    append(to.value, from.value, map);
}

void appendTrack(Track& to, const Track& from, SliceIndex first, const Translation& t) {
    const auto same = [](auto value) { return value; };
    append(to.slices.start_ns, from.slices.start_ns, same);
    append(to.slices.end_ns, from.slices.end_ns, same);
    append(to.slices.source, from.slices.source,
           [&](EventSource s) { return EventSource(static_cast<std::uint16_t>(t.first_file + s.file()), s.offset()); });
    append(to.slices.name, from.slices.name, t);
    append(to.slices.parent, from.slices.parent, [&](SliceIndex i) { return i == kNoSlice ? i : first + i; });
    append(to.slices.depth, from.slices.depth, same);
    append(to.slices.category, from.slices.category, same);
    append(to.slices.flag, from.slices.flag, same);
    append(to.bytes, from.bytes, first, same);
    append(to.collectives, from.collectives, first, [&](CollectiveArgs args) {
        for (StringId* id :
             {&args.name, &args.dtype, &args.group_name, &args.group_description, &args.group_ranks, &args.comms_id}) {
            *id = t(*id);
        }
        return args;
    });
    append(to.syncs, from.syncs, first, [&](SyncArgs args) {
        args.kind = t(args.kind);
        return args;
    });
    to.row_count = std::max(to.row_count, from.row_count);
}

Translation placeTracks(RankTrace& into, const RankTrace& later) {
    Translation t;
    t.first_file = static_cast<std::uint16_t>(into.files.size());
    for (std::uint32_t i = 0; i < later.strings.size(); ++i) {
        t.strings.push_back(into.strings.intern(later.strings.view(StringId(i))));
    }
    for (const Track& track : later.tracks) {
        const auto same = std::ranges::find_if(into.tracks, [&](const Track& known) {
            return known.kind == track.kind && known.process == t(track.process) && known.lane == t(track.lane);
        });
        const auto index = static_cast<std::uint32_t>(same - into.tracks.begin());
        if (same == into.tracks.end()) {
            Track& made = into.tracks.emplace_back();
            made.kind = track.kind;
            made.process = t(track.process);
            made.lane = t(track.lane);
            made.device = track.device;
            made.name = track.name;
        }
        t.tracks.emplace_back(index);
        t.first_slice.push_back(static_cast<SliceIndex>(into.tracks[index].slices.size()));
    }
    return t;
}

void appendHealth(Health& to, const Health& from, std::uint16_t first_file) {
    to.events += from.events;
    to.slices += from.slices;
    to.skipped += from.skipped;
    to.recovered += from.recovered;
    for (const ParseIssue& parse_issue : from.parse_issues) {
        to.add(static_cast<std::uint16_t>(first_file + parse_issue.file), parse_issue.byte_offset, parse_issue.cause);
    }
    to.overlapping += from.overlapping;
    to.negative_durations += from.negative_durations;
    to.early_kernels += from.early_kernels;
    to.unlinked_launches += from.unlinked_launches;
    to.unlinked_device += from.unlinked_device;
    to.time_resolution_ns = std::max(to.time_resolution_ns, from.time_resolution_ns);
    to.ranks_mixed = to.ranks_mixed || from.ranks_mixed;
    to.truncated = to.truncated || from.truncated;
    to.notes.insert(to.notes.end(), from.notes.begin(), from.notes.end());
}

void appendWindow(RankTrace& into, const RankTrace& later) {
    const Translation t = placeTracks(into, later);
    for (std::size_t i = 0; i < later.tracks.size(); ++i) {
        appendTrack(into.tracks[t.tracks[i].value], later.tracks[i], t.first_slice[i], t);
    }
    std::vector<Launch> launches(into.launches.all().begin(), into.launches.all().end());
    for (const Launch& launch : later.launches.all()) {
        launches.push_back({t(launch.host), t(launch.device)});
    }
    into.launches = LaunchTable(std::move(launches));
    append(into.flows, later.flows, [&](const Flow& flow) { return Flow{t(flow.from), t(flow.to)}; });
    const auto same = [](auto value) { return value; };
    append(into.memory.at_ns, later.memory.at_ns, same);
    append(into.memory.bytes, later.memory.bytes, same);
    append(into.memory.total_allocated, later.memory.total_allocated, same);
    append(into.memory.total_reserved, later.memory.total_reserved, same);
    append(into.memory.device, later.memory.device, same);
    appendHealth(into.health, later.health, t.first_file);
    into.files.insert(into.files.end(), later.files.begin(), later.files.end());
    into.window.end_ns = std::max(into.window.end_ns, later.window.end_ns);
}

}  // namespace

std::shared_ptr<RankTrace> joinWindows(const std::vector<std::shared_ptr<RankTrace>>& windows) {
    auto joined = std::make_shared<RankTrace>();
    const RankTrace& first = *windows.front();
    joined->rank = first.rank;
    joined->rank_origin = first.rank_origin;
    joined->world_size = first.world_size;
    joined->host = first.host;
    joined->backend = first.backend;
    joined->devices = first.devices;
    joined->groups = first.groups;
    joined->metadata = first.metadata;
    joined->window = first.window;
    for (const auto& window : windows) {
        appendWindow(*joined, *window);
    }
    return joined;
}

}  // namespace rankscope
