// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/assemble.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/ingest/assembly/build_track.h"
#include "core/ingest/assembly/time_resolution.h"

namespace rankscope {
namespace {

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
        case TrackKind::StreamSync: track.name = lane == "-1" ? "GPU waits" : "stream " + lane + " waits"; break;
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
        into.address.push_back(point.address);
        into.total_allocated.push_back(point.total_allocated);
        into.total_reserved.push_back(point.total_reserved);
        into.device.push_back(point.device);
    }
}

/// The number of the GPU that a process id names; -1 if no stream belongs to that process.
std::int16_t deviceOf(StringId process, const RankTrace& trace) {
    const bool is_device = std::ranges::any_of(trace.tracks, [process](const Track& track) {
        return track.kind == TrackKind::Stream && track.process == process;
    });
    const std::string_view number = trace.strings.view(process);
    std::int16_t device = -1;
    if (is_device) {
        std::from_chars(number.data(), number.data() + number.size(), device);
    }
    return device;
}

void takeSensors(const std::vector<SensorPoint>& points, TimeNs base_ns, RankTrace& into) {
    std::map<StringId, std::int16_t> devices;
    for (const SensorPoint& point : points) {
        const auto [at, is_new] = devices.try_emplace(point.process, std::int16_t{-1});
        if (is_new) {
            at->second = deviceOf(point.process, into);
        }
        into.sensors.at_ns.push_back(point.at_ns + base_ns);
        into.sensors.sensor.push_back(point.measured.sensor);
        into.sensors.device.push_back(point.device >= 0 ? point.device : at->second);
        into.sensors.value.push_back(point.measured.value);
    }
}

void takeHealth(std::vector<PartialTrace>& parts, Health& into) {
    std::uint64_t unkept = 0;
    for (PartialTrace& part : parts) {
        into.events += part.health.events;
        into.skipped += part.health.skipped;
        into.recovered += part.health.recovered;
        for (const Origin& origin : part.origins) {
            into.negative_durations += origin.negative_durations;
            unkept += origin.unkept;
        }
        into.parse_issues.insert(into.parse_issues.end(), part.health.parse_issues.begin(),
                                 part.health.parse_issues.end());
    }
    // Each part kept its own first ones, in order: the first ones of all are among them.
    std::ranges::stable_sort(into.parse_issues, {}, &ParseIssue::byte_offset);
    if (into.parse_issues.size() > Health::kParseIssuesKept) {
        into.parse_issues.resize(Health::kParseIssuesKept);
    }
    if (unkept > 0) {
        into.notes.push_back(formatCounted(unkept, "event") + (unkept == 1 ? " is" : " are") +
                             " of kinds that are not shown (other counters, begin/end pairs, async events).");
    }
}

/// Which texts a part uses, by id, of a pool that it shares with other ranks.
std::vector<bool> stringsOf(const PartialTrace& part) {
    std::vector<bool> used(part.texts().size(), false);
    const auto use = [&](std::initializer_list<StringId> ids) {
        for (const StringId id : ids) {
            if (id.valid()) {
                used[id.value] = true;
            }
        }
    };
    for (const PartialTrack& track : part.tracks) {
        use({track.process, track.lane});
        std::ranges::for_each(track.name, [&](StringId id) { use({id}); });
        for (const auto& [row, args] : track.collectives) {
            use({args.name, args.dtype, args.group_name, args.group_description, args.group_ranks, args.comms_id});
        }
        std::ranges::for_each(track.syncs, [&](const auto& sync) { use({sync.value.kind}); });
        for (const auto& [row, inputs] : track.inputs) {
            use({inputs.shapes, inputs.types, inputs.values});
        }
    }
    std::ranges::for_each(part.lanes, [&](const LaneName& lane) { use({lane.process, lane.lane, lane.name}); });
    std::ranges::for_each(part.flows, [&](const FlowPoint& point) { use({point.process, point.lane}); });
    std::ranges::for_each(part.sensors, [&](const SensorPoint& point) { use({point.process}); });
    return used;
}

/// The tracks of a rank while its parts are joined.
class TrackCollector {
  public:
    explicit TrackCollector(RankTrace& into) : into_(into) {}

    /// Moves a part's tracks, names and flows into the rank's ids.
    void take(PartialTrace& part, TimeNs base_ns) {
        const std::vector<StringId>& to = names_.emplace_back(intern(part));
        part.strings = StringPool();
        part.shared_strings.reset();
        for (PartialTrack& track : part.tracks) {
            sharesOf(track.kind, to[track.process.value], to[track.lane.value]).push_back({&track, &to});
        }
        for (const LaneName& lane : part.lanes) {
            lane_names[{to[lane.process.value], to[lane.lane.value]}] = into_.strings.view(to[lane.name.value]);
        }
        for (FlowPoint& point : part.flows) {
            point.process = to[point.process.value];
            point.lane = to[point.lane.value];
            point.at_ns += base_ns;
        }
        flows.push_back(std::move(part.flows));
        for (SensorPoint point : part.sensors) {
            point.process = to[point.process.value];
            sensors.push_back(point);
        }
        std::vector<SensorPoint>().swap(part.sensors);
    }

    std::vector<std::vector<Share>> shares;  ///< as RankTrace::tracks
    std::map<std::pair<StringId, StringId>, std::string> lane_names;
    std::vector<std::vector<FlowPoint>> flows;
    std::vector<SensorPoint> sensors;

  private:
    [[nodiscard]] std::vector<StringId> intern(const PartialTrace& part) {
        const StringPool& from = part.texts();
        const std::vector<bool> used = part.shared_strings ? stringsOf(part) : std::vector<bool>(from.size(), true);
        std::vector<StringId> to(from.size());
        for (std::uint32_t i = 0; i < from.size(); ++i) {
            to[i] = used[i] ? into_.strings.intern(from.view(StringId(i))) : StringId();
        }
        return to;
    }

    std::vector<Share>& sharesOf(TrackKind kind, StringId process, StringId lane) {
        const auto [at, inserted] = index_.try_emplace({kind, process, lane}, shares.size());
        if (inserted) {
            shares.emplace_back();
            Track& made = into_.tracks.emplace_back();
            made.kind = kind;
            made.process = process;
            made.lane = lane;
        }
        return shares[at->second];
    }

    RankTrace& into_;
    std::map<std::tuple<TrackKind, StringId, StringId>, std::size_t> index_;
    std::deque<std::vector<StringId>> names_;  // shares point into it
};

/// The tracks with the most slices first, so that no thread starts with the longest one last.
std::vector<std::size_t> longestFirst(const std::vector<std::vector<Share>>& shares) {
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) {
        return std::accumulate(shares[i].begin(), shares[i].end(), std::size_t{0},
                               [](std::size_t sum, const Share& share) { return sum + share.track->size(); });
    });
    return order;
}

/// Adds a built track's counts to the health, and passes its correlations on.
void collectLinks(std::uint32_t index, TrackLinks& links, RankTrace& trace, LinkInput& link) {
    const Track& track = trace.tracks[index];
    const bool stream = track.kind == TrackKind::Stream;
    trace.health.overlapping += stream || track.kind == TrackKind::CpuThread ? links.rows.overlapping : 0;
    trace.health.slices += track.slices.size();
    for (std::size_t k = 0; k < links.correlation.size(); ++k) {
        const SliceIndex slice = links.correlation.slice[k];
        if (stream || isLaunchCall(track.slices.category[slice])) {
            (stream ? link.device : link.host).push_back({links.correlation.value[k], {TrackId(index), slice}});
        }
    }
}

void noteSharedRows(const std::vector<TrackLinks>& links, Health& health) {
    std::uint64_t beyond = 0;
    for (const TrackLinks& track : links) {
        beyond += track.rows.beyond_last;
    }
    if (beyond > 0) {
        health.notes.push_back(std::to_string(beyond) + " slices are nested deeper than " + std::to_string(kMostRows) +
                               " rows. They share the last row of their track.");
    }
}

EarlierSteps onFileClock(EarlierSteps earlier, TimeNs base_ns) {
    earlier.host_end_ns += earlier.number ? base_ns : 0;
    for (EarlierSteps::DeviceEnds& ends : earlier.devices) {
        ends.work_ns += base_ns;
        if (ends.step_work_ns) {
            *ends.step_work_ns += base_ns;
        }
    }
    return earlier;
}

}  // namespace

TimeSpan windowOf(const std::vector<Track>& tracks) {
    TimeSpan window{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    for (const Track& track : tracks) {
        if ((track.kind == TrackKind::CpuThread || track.kind == TrackKind::Stream) && track.slices.size() > 0) {
            window.start_ns = std::min(window.start_ns, track.slices.start_ns.front());
            window.end_ns = std::max(window.end_ns, *std::ranges::max_element(track.slices.end_ns));
        }
    }
    return window.start_ns <= window.end_ns ? window : TimeSpan{};
}

LinkInput assemble(std::vector<PartialTrace> parts, TimeNs base_ns, const StepWindow& steps, unsigned threads,
                   RankTrace& into, const std::stop_token& stop) {
    KeptSteps kept = keepSteps(parts, steps);
    into.first_counted_step = kept.first_counted;
    into.earlier = onFileClock(std::move(kept.earlier), base_ns);
    TrackCollector collector(into);
    for (PartialTrace& part : parts) {
        if (stop.stop_requested()) {
            return {};
        }
        collector.take(part, base_ns);
    }
    takeMemory(parts, base_ns, into.memory);
    std::ranges::stable_sort(collector.sensors, {}, &SensorPoint::at_ns);
    takeSensors(collector.sensors, base_ns, into);
    takeHealth(parts, into.health);
    sortTracks(collector.shares, into.tracks, into.strings);
    std::vector<TrackLinks> links(into.tracks.size());
    const std::vector<std::size_t> order = longestFirst(collector.shares);
    forEachIndex(order.size(), threads, [&](std::size_t k) {
        const std::size_t i = order[k];
        nameTrack(into.tracks[i], collector.lane_names, into.strings);
        links[i] = buildTrack(collector.shares[i], base_ns, into.tracks[i], stop);
    });
    if (stop.stop_requested()) {
        return {};
    }
    into.health.time_resolution_ns = timeResolution(into.tracks, base_ns);
    const DurationNs on_host_ns = timeGrid(into.tracks, TrackKind::CpuThread, base_ns).slack();
    const DurationNs on_device_ns = timeGrid(into.tracks, TrackKind::Stream, base_ns).slack();
    into.health.time_slack_ns = std::max(on_host_ns, on_device_ns);
    forEachIndex(order.size(), threads, [&](std::size_t k) {
        Track& track = into.tracks[order[k]];
        const DurationNs slack_ns = track.kind == TrackKind::Stream ? on_device_ns : on_host_ns;
        links[order[k]].rows = arrangeTrack(track, slack_ns, stop);
    });
    if (stop.stop_requested()) {
        return {};
    }
    LinkInput link;
    link.flows = std::move(collector.flows);
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        collectLinks(i, links[i], into, link);
    }
    noteSharedRows(links, into.health);
    return link;
}

}  // namespace rankscope
