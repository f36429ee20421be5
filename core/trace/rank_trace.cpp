// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/rank_trace.h"

#include <fmt/format.h>

#include <algorithm>

namespace rankscope {

std::string_view trackKindName(TrackKind kind) {
    switch (kind) {
        case TrackKind::CpuThread: return "cpu-thread";
        case TrackKind::Stream: return "stream";
        case TrackKind::StreamAnnotation: return "stream-annotation";
        case TrackKind::StreamSync: return "stream-sync";
        case TrackKind::Other: return "other";
    }
    return "other";
}

bool RankTrace::hasDeviceWork() const {
    return std::ranges::any_of(tracks,
                               [](const Track& t) { return t.kind == TrackKind::Stream && t.slices.size() > 0; });
}

std::size_t RankTrace::memoryBytes() const {
    std::size_t bytes = strings.memoryBytes() + launches.memoryBytes() + flows.capacity() * sizeof(Flow);
    for (const Track& track : tracks) {
        bytes += sizeof(Track) + track.slices.memoryBytes();
        Track::eachSparseColumn(track, [&bytes](const auto& column) { bytes += column.memoryBytes(); });
    }
    bytes += memory.at_ns.capacity() * (5 * sizeof(std::int64_t) + sizeof(std::int16_t));
    SensorTable::eachColumn(
        sensors, [&bytes]<class T>(const std::vector<T>& column) { bytes += column.capacity() * sizeof(T); });
    return bytes;
}

std::string rankLabel(const RankTrace& rank, RankPosition position) {
    return rank.rank ? fmt::format("rank {}", rank.rank->value) : fmt::format("file {}", position + 1);
}

}  // namespace rankscope
