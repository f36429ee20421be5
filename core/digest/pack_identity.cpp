// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/pack_trace.h"

#include "core/digest/transfer.h"

namespace rankscope {

template <class Way>
void transfer(Way& way, TimeSpan& span) {
    way(span.start_ns);
    way(span.end_ns);
}

template <class Way>
void transfer(Way& way, TraceFile& file) {
    way(file.path);
    way(file.member);
    way(file.bytes);
    way(file.json_bytes);
    way(file.modified_ns);
    way(file.window);
}

template <class Way>
void transfer(Way& way, DeviceProperties& device) {
    way(device.id);
    way(device.name);
    way(device.total_memory_bytes);
    way(device.multiprocessors);
}

/// Each rank as its distance to the previous one: groups of thousands are at even distances, which pack well.
template <class Way>
void transferRanks(Way& way, std::vector<RankNumber>& ranks) {
    std::vector<std::int64_t> distances;
    std::int64_t last = 0;
    for (const RankNumber rank : ranks) {
        distances.push_back(rank.value - last);
        last = rank.value;
    }
    way(distances);
    ranks.clear();
    last = 0;
    for (const std::int64_t distance : distances) {
        last = roundSum(last, distance);
        ranks.emplace_back(last);
    }
}

template <class Way>
void transfer(Way& way, ProcessGroup& group) {
    way(group.name);
    way(group.description);
    way(group.backend);
    way(group.size);
    transferRanks(way, group.ranks);
}

template <class Way>
void transfer(Way& way, ParseIssue& parse_issue) {
    way(parse_issue.file);
    way(parse_issue.byte_offset);
    way(parse_issue.cause);
}

template <class Way>
void transfer(Way& way, Health& health) {
    for (std::uint64_t* count : {&health.events, &health.slices, &health.skipped, &health.recovered}) {
        way(*count);
    }
    way(health.parse_issues);
    for (std::uint64_t* count : {&health.overlapping, &health.negative_durations, &health.early_kernels,
                                 &health.unlinked_launches, &health.unlinked_device}) {
        way(*count);
    }
    way(health.time_resolution_ns);
    way(health.time_slack_ns);
    way(health.ranks_mixed);
    way(health.truncated);
    way(health.notes);
}

/// The name of a track; its slices have columns of their own.
template <class Way>
void transfer(Way& way, Track& track) {
    way.upTo(track.kind, TrackKind::Other);
    way(track.process);
    way(track.lane);
    way(track.device);
    way(track.name);
    way(track.row_count);
}

namespace {

template <class Way>
void transferIdentity(Way& way, RankTrace& trace) {
    way(trace.rank);
    way.upTo(trace.rank_origin, RankOrigin::Unknown);
    way(trace.world_size);
    way(trace.host);
    way(trace.backend);
    way(trace.files);
    way(trace.devices);
    way(trace.groups);
    way(trace.metadata);
    way(trace.window);
    way(trace.first_counted_step);
    way(trace.health);
}

}  // namespace

void packIdentity(const RankTrace& trace, ColumnsOut& columns) {
    RankTrace identity;
    identity.rank = trace.rank;
    identity.rank_origin = trace.rank_origin;
    identity.world_size = trace.world_size;
    identity.host = trace.host;
    identity.backend = trace.backend;
    identity.files = trace.files;
    identity.devices = trace.devices;
    identity.groups = trace.groups;
    identity.metadata = trace.metadata;
    identity.window = trace.window;
    identity.first_counted_step = trace.first_counted_step;
    identity.health = trace.health;
    Saving way(columns["identity"]);
    transferIdentity(way, identity);
    Saving tracks(columns["tracks"]);
    columns["tracks"].put(trace.tracks.size());
    for (const Track& track : trace.tracks) {
        Track name;  // without the slices, which a copy would copy too
        name.kind = track.kind;
        name.process = track.process;
        name.lane = track.lane;
        name.device = track.device;
        name.name = track.name;
        name.row_count = track.row_count;
        tracks(name);
    }
}

void unpackIdentity(ColumnsIn& columns, RankTrace& trace) {
    Loading way(columns["identity"]);
    transferIdentity(way, trace);
    Loading tracks(columns["tracks"]);
    tracks(trace.tracks);
}

}  // namespace rankscope
