// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/ingest/assembly/ranks_of_file.h"

namespace rankscope {
namespace {

/// The rank whose stretch of the file contains a byte.
std::int32_t rankAt(std::uint64_t offset, const RankAssignment& assignment) {
    const auto behind =
        std::ranges::upper_bound(assignment.stretches, offset, {}, &std::pair<std::uint64_t, std::int32_t>::first);
    return behind == assignment.stretches.begin() ? kFirstRank : std::prev(behind)->second;
}

/// The rows of a track that belong to `rank`.
PartialTrack rowsOf(const PartialTrack& track, const std::vector<std::int32_t>& rank_of_row, std::int32_t rank) {
    PartialTrack out;
    out.kind = track.kind;
    out.process = track.process;
    out.lane = track.lane;
    std::vector<SliceIndex> new_row(track.size(), kNoSlice);
    for (std::size_t i = 0; i < track.size(); ++i) {
        if (rank_of_row[i] == rank) {
            new_row[i] = static_cast<SliceIndex>(out.size());
            out.start_ns.push_back(track.start_ns[i]);
            out.end_ns.push_back(track.end_ns[i]);
            out.source.push_back(track.source[i]);
            out.name.push_back(track.name[i]);
            out.category.push_back(track.category[i]);
            out.flag.push_back(track.flag[i]);
        }
    }
    const auto follow = [&](const auto& from, auto& to) {
        for (const auto& value : from) {
            if (new_row[value.row] != kNoSlice) {
                to.push_back(value);
                to.back().row = new_row[value.row];
            }
        }
    };
    follow(track.correlation, out.correlation);
    follow(track.bytes, out.bytes);
    follow(track.collectives, out.collectives);
    follow(track.syncs, out.syncs);
    follow(track.inputs, out.inputs);
    follow(track.grids, out.grids);
    return out;
}

/// The name of each origin's process inside its rank.
std::vector<StringId> processNames(PartialTrace& part) {
    std::vector<StringId> names;
    for (const Origin& origin : part.origins) {
        const std::string pid(withoutRankName(part.strings.view(origin.pid)));
        names.push_back(origin.pid_raw.valid() ? origin.pid_raw : part.strings.intern(pid));
    }
    // If a merger has renumbered a device, the args of its work still have its index.
    std::vector<StringId> device(part.origins.size());
    for (const PartialTrack& track : part.tracks) {
        if (track.kind == TrackKind::Stream && track.size() > 0) {
            device[track.origin] = device[track.origin].valid() && device[track.origin] != track.process
                                       ? part.origins[track.origin].pid  // several indices: keep the pid's name
                                       : track.process;
        }
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool moved = device[i].valid() && device[i] != part.origins[i].pid && names[i] == part.origins[i].pid;
        names[i] = moved ? device[i] : names[i];
    }
    return names;
}

/// Divides the events of one part among the ranks' parts.
class PartSplitter {
  public:
    PartSplitter(PartialTrace& part, const std::vector<std::int32_t>& of_origin, const RankAssignment& assignment)
        : part_(part), of_origin_(of_origin), assignment_(assignment), to_(assignment.ranks) {}

    std::vector<PartialTrace> split() {
        names_ = processNames(part_);
        for (PartialTrace& rank : to_) {
            rank.origins.resize(1);
        }
        splitTracks();
        give(part_.flows, &PartialTrace::flows);
        give(part_.lanes, &PartialTrace::lanes);
        give(part_.memory, &PartialTrace::memory);
        splitSensors();
        splitHealth();
        to_.front().out_of_bounds = std::move(part_.out_of_bounds);
        const auto strings = std::make_shared<const StringPool>(std::move(part_.strings));
        for (PartialTrace& rank : to_) {
            rank.shared_strings = strings;
        }
        return std::move(to_);
    }

  private:
    PartialTrace& of(std::int32_t rank) { return to_[static_cast<std::size_t>(rank)]; }

    void rename(std::uint32_t origin, StringId& process) const {
        process = process == part_.origins[origin].pid ? names_[origin] : process;
    }

    void splitTracks() {
        for (PartialTrack& track : part_.tracks) {
            const std::int32_t rank = of_origin_[track.origin];
            rename(track.origin, track.process);
            if (rank != kByPlace) {
                track.origin = 0;
                of(rank).tracks.push_back(std::move(track));
                continue;
            }
            std::vector<std::int32_t> rank_of_row;
            std::ranges::transform(track.source, std::back_inserter(rank_of_row),
                                   [&](EventSource source) { return rankAt(source.offset(), assignment_); });
            for (std::size_t r = 0; r < to_.size(); ++r) {
                PartialTrack rows = rowsOf(track, rank_of_row, static_cast<std::int32_t>(r));
                if (rows.size() > 0) {
                    to_[r].tracks.push_back(std::move(rows));
                }
            }
        }
        std::vector<PartialTrack>().swap(part_.tracks);
    }

    /// Entries without a place go to every rank if their origin has several: a name is true of each, and a flow leads
    /// nowhere in the wrong ranks.
    template <class Entry>
    void give(std::vector<Entry>& entries, std::vector<Entry> PartialTrace::*column) {
        for (Entry& entry : entries) {
            const std::int32_t rank = of_origin_[entry.origin];
            if constexpr (requires { entry.process; }) {
                rename(entry.origin, entry.process);
            }
            entry.origin = 0;
            if (rank != kByPlace) {
                (of(rank).*column).push_back(entry);
            } else if constexpr (requires { entry.process; }) {
                for (PartialTrace& each : to_) {  // NOLINT(misc-const-correctness): changed through the column
                    (each.*column).push_back(entry);
                }
            } else {
                (to_.front().*column).push_back(entry);
            }
        }
        std::vector<Entry>().swap(entries);
    }

    /// Readings of a process with several ranks belong to none: it is unknown whose GPU they measured.
    void splitSensors() {
        for (SensorPoint& point : part_.sensors) {
            const std::int32_t rank = of_origin_[point.origin];
            rename(point.origin, point.process);
            point.origin = 0;
            if (rank != kByPlace) {
                of(rank).sensors.push_back(point);
            }
        }
        std::vector<SensorPoint>().swap(part_.sensors);
    }

    void splitHealth() {
        std::unordered_map<std::uint64_t, std::int32_t> recovered;  // rank by byte offset
        for (std::size_t r = 0; r < to_.size(); ++r) {
            PartialTrace& rank = to_[r];
            rank.health.events = rank.flows.size() + rank.memory.size() + rank.sensors.size();
            for (const PartialTrack& track : rank.tracks) {
                rank.health.events += track.size();
                for (std::size_t i = 0; i < track.size(); ++i) {
                    if (has(track.flag[i], SliceFlag::Recovered)) {
                        ++rank.health.recovered;
                        recovered[track.source[i].offset()] = static_cast<std::int32_t>(r);
                    }
                }
            }
        }
        for (std::size_t i = 0; i < part_.origins.size(); ++i) {
            PartialTrace& rank = of(std::max(of_origin_[i], kFirstRank));
            rank.health.events += part_.origins[i].other_events;
            rank.origins.front().negative_durations += part_.origins[i].negative_durations;
            rank.origins.front().unkept += part_.origins[i].unkept;
        }
        Health& first = to_.front().health;
        first.skipped = part_.health.skipped;
        first.recovered += part_.health.recovered - std::min<std::uint64_t>(recovered.size(), part_.health.recovered);
        for (ParseIssue& issue : part_.health.parse_issues) {
            const auto of_rank = recovered.find(issue.byte_offset);
            of(of_rank == recovered.end() ? kFirstRank : of_rank->second)
                .health.parse_issues.push_back(std::move(issue));
        }
    }

    PartialTrace& part_;
    const std::vector<std::int32_t>& of_origin_;
    const RankAssignment& assignment_;
    std::vector<StringId> names_;
    std::vector<PartialTrace> to_;
};

}  // namespace

std::vector<std::vector<PartialTrace>> splitParts(std::vector<PartialTrace> parts, const RankAssignment& assignment) {
    std::vector<std::vector<PartialTrace>> ranks(assignment.ranks);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        std::vector<PartialTrace> split = PartSplitter(parts[p], assignment.of_origin[p], assignment).split();
        parts[p] = PartialTrace();
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            ranks[r].push_back(std::move(split[r]));
        }
    }
    return ranks;
}

}  // namespace rankscope
