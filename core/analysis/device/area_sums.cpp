// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/area_sums.h"

#include <algorithm>
#include <span>

#include "core/analysis/device/partition.h"

namespace rankscope {
namespace {

/// Adds a track's slices that touch `window`; false if stopped.
bool addTrack(const Track& track, const TimeSpan& window, const std::stop_token& stop, AreaSums& sums) {
    const SliceTable& slices = track.slices;
    const auto end = std::ranges::lower_bound(slices.start_ns, window.end_ns);
    const auto last = static_cast<SliceIndex>(end - slices.start_ns.begin());
    if (stop.stop_requested()) {
        return false;
    }
    sums.slices += static_cast<std::uint64_t>(std::ranges::count_if(
        std::span(slices.end_ns).first(last), [&](TimeNs end_ns) { return end_ns > window.start_ns; }));
    for (std::size_t i = 0; i < track.bytes.size() && track.bytes.slice[i] < last; ++i) {
        if (slices.end_ns[track.bytes.slice[i]] > window.start_ns) {
            sums.copied_bytes += track.bytes.value[i];
        }
    }
    return true;
}

void addCollectives(const RunFacts& facts, const RunClock& clock, const Area& area, AreaSums& sums) {
    const auto& all = facts.collectives.collectives;
    for (CollectivePosition c{0}; c < all.size(); ++c) {
        const bool inside = std::ranges::any_of(all[c].members, [&](const CollectiveMember& member) {
            const TimeSpan span = clock.ranks[member.rank].toRun(FileSpan(member.span));
            return !intersect(span, area.span).empty() && !member.slices.empty() &&
                   std::ranges::binary_search(area.tracks, Area::Location{member.rank, member.slices.front().track});
        });
        if (inside) {
            sums.collectives.push_back(c);
            sums.collective_bytes += all[c].bytes.value_or(0);
        }
    }
}

AreaRank rankOf(const RunFacts& facts, RankPosition rank, const TimeSpan& window) {
    AreaRank out{rank, {}, 0.0};
    if (rank < facts.ranks.size() && facts.ranks[rank].device >= 0) {
        out.partition = partitionOf(facts.ranks[rank], window);
        const auto length = static_cast<double>(std::max<DurationNs>(1, window.length()));
        out.busy = 1.0 - static_cast<double>(out.partition->idle_ns) / length;
    }
    return out;
}

}  // namespace

Result<AreaSums> sumArea(const Run& run, const RunFacts& facts, const RunClock& clock, const Area& area,
                         const std::stop_token& stop) {
    AreaSums sums;
    sums.length_ns = area.span.length();
    for (auto place = area.tracks.begin(); place != area.tracks.end();) {
        const RankPosition rank = place->rank;
        const TimeSpan window = clock.ranks[rank].toFile(RunSpan(area.span));
        for (; place != area.tracks.end() && place->rank == rank; ++place) {
            if (!addTrack(run.ranks[rank]->tracks[place->track.value], window, stop, sums)) {
                return Cancelled{};
            }
        }
        sums.ranks.push_back(rankOf(facts, rank, window));
    }
    addCollectives(facts, clock, area, sums);
    return sums;
}

}  // namespace rankscope
