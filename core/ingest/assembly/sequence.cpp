// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/assemble.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace rankscope {
namespace {

/// Converts ids and slices of the later trace to those of the earlier one.
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
    // Reserves exactly for the first window; further ones grow the capacity so that they do not move all previous ones
    // each time.
    if (const std::size_t all = to.size() + from.size(); all > to.capacity()) {
        to.reserve(std::max(all, 2 * to.capacity()));
    }
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
    append(to.inputs, from.inputs, first, [&](OperatorInputs inputs) {
        for (StringId* id : {&inputs.shapes, &inputs.types, &inputs.values}) {
            *id = t(*id);
        }
        return inputs;
    });
    append(to.grids, from.grids, first, same);
    to.row_count = std::max(to.row_count, from.row_count);
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
    to.time_slack_ns = std::max(to.time_slack_ns, from.time_slack_ns);
    to.ranks_mixed = to.ranks_mixed || from.ranks_mixed;
    to.truncated = to.truncated || from.truncated;
    to.notes.insert(to.notes.end(), from.notes.begin(), from.notes.end());
}

/// Joins the windows of one rank into one trace, one after the other. Each costs in proportion to its size.
class JoinedWindows {
  public:
    /// Starts with the data that is the same in all windows.
    explicit JoinedWindows(const RankTrace& first) : joined_(std::make_shared<RankTrace>()) {
        joined_->rank = first.rank;
        joined_->rank_origin = first.rank_origin;
        joined_->world_size = first.world_size;
        joined_->host = first.host;
        joined_->backend = first.backend;
        joined_->devices = first.devices;
        joined_->groups = first.groups;
        joined_->metadata = first.metadata;
        joined_->window = first.window;
        joined_->first_counted_step = first.first_counted_step;
        joined_->earlier = first.earlier;
    }

    void add(const RankTrace& later) {
        const Translation t = placeTracks(later);
        for (std::size_t i = 0; i < later.tracks.size(); ++i) {
            appendTrack(joined_->tracks[t.tracks[i].value], later.tracks[i], t.first_slice[i], t);
        }
        for (const Launch& launch : later.launches.all()) {
            launches_.push_back({t(launch.host), t(launch.device)});
        }
        append(joined_->flows, later.flows, [&](const Flow& flow) { return Flow{t(flow.from), t(flow.to)}; });
        const auto same = [](auto value) { return value; };
        append(joined_->memory.at_ns, later.memory.at_ns, same);
        append(joined_->memory.bytes, later.memory.bytes, same);
        append(joined_->memory.address, later.memory.address, same);
        append(joined_->memory.total_allocated, later.memory.total_allocated, same);
        append(joined_->memory.total_reserved, later.memory.total_reserved, same);
        append(joined_->memory.device, later.memory.device, same);
        append(joined_->sensors.at_ns, later.sensors.at_ns, same);
        append(joined_->sensors.sensor, later.sensors.sensor, same);
        append(joined_->sensors.device, later.sensors.device, same);
        append(joined_->sensors.value, later.sensors.value, same);
        appendHealth(joined_->health, later.health, t.first_file);
        joined_->files.insert(joined_->files.end(), later.files.begin(), later.files.end());
        joined_->window.end_ns = std::max(joined_->window.end_ns, later.window.end_ns);
    }

    std::shared_ptr<RankTrace> finish() {
        joined_->launches = LaunchTable(std::move(launches_));
        return std::move(joined_);
    }

  private:
    using TrackKey = std::tuple<TrackKind, StringId, StringId>;  // kind, process, lane

    Translation placeTracks(const RankTrace& later) {
        Translation t;
        t.first_file = static_cast<std::uint16_t>(joined_->files.size());
        for (std::uint32_t i = 0; i < later.strings.size(); ++i) {
            t.strings.push_back(joined_->strings.intern(later.strings.view(StringId(i))));
        }
        for (const Track& track : later.tracks) {
            const TrackKey key{track.kind, t(track.process), t(track.lane)};
            const auto [at, is_new] =
                tracks_.try_emplace(key, TrackId(static_cast<std::uint32_t>(joined_->tracks.size())));
            if (is_new) {
                Track& made = joined_->tracks.emplace_back();
                made.kind = track.kind;
                made.process = t(track.process);
                made.lane = t(track.lane);
                made.device = track.device;
                made.name = track.name;
            }
            t.tracks.push_back(at->second);
            t.first_slice.push_back(static_cast<SliceIndex>(joined_->tracks[at->second.value].slices.size()));
        }
        return t;
    }

    std::shared_ptr<RankTrace> joined_;
    std::vector<Launch> launches_;
    std::map<TrackKey, TrackId> tracks_;
};

}  // namespace

std::shared_ptr<RankTrace> joinWindows(const std::vector<std::shared_ptr<RankTrace>>& windows) {
    JoinedWindows joined(*windows.front());
    for (const auto& window : windows) {
        joined.add(*window);
    }
    return joined.finish();
}

}  // namespace rankscope
