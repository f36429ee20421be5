// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/area_sums.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "core/analysis/device/partition.h"
#include "core/base/interval_set.h"

namespace rankscope {
namespace {

constexpr SliceIndex kSlicesBetweenChecks = 65'536;

/// The sums of the names of one rank, by StringId.
struct NameSums {
    struct Sum {
        std::uint64_t count = 0;
        DurationNs total_ns = 0;
        DurationNs inside_ns = 0;  // covered by slices directly inside
    };
    std::vector<Sum> by_name;
};

/// Adds a track's slices that touch `window`; false where it was stopped.
bool addTrack(const RankTrace& trace, TrackId id, const TimeSpan& window, const std::stop_token& stop, NameSums& names,
              AreaSums& sums) {
    const Track& track = trace.tracks[id.value];
    const SliceTable& slices = track.slices;
    const auto end = std::ranges::lower_bound(slices.start_ns, window.end_ns);
    const auto last = static_cast<SliceIndex>(end - slices.start_ns.begin());
    std::vector<UnionLength> inside(last);  // of each slice: what the slices directly inside it cover
    for (SliceIndex i = 0; i < last; ++i) {
        if (i % kSlicesBetweenChecks == 0 && stop.stop_requested()) {
            return false;
        }
        if (slices.end_ns[i] <= window.start_ns) {
            continue;
        }
        const DurationNs part_ns = intersect(slices.span(i), window).length();
        NameSums::Sum& sum = names.by_name[slices.name[i].value];
        ++sum.count;
        sum.total_ns += part_ns;
        if (const SliceIndex parent = slices.parent[i]; parent != kNoSlice) {
            // By rounded times a slice can reach beyond the one that it is inside.
            const TimeSpan part = intersect(intersect(slices.span(i), slices.span(parent)), window);
            names.by_name[slices.name[parent].value].inside_ns += inside[parent].add(part);
        }
        ++sums.slices;
    }
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
    std::unordered_map<std::string_view, AreaName> names;
    for (auto place = area.tracks.begin(); place != area.tracks.end();) {
        const RankPosition rank = place->rank;
        const RankTrace& trace = *run.ranks[rank];
        const RankClock& rank_clock = clock.ranks[rank];
        const TimeSpan window = rank_clock.toFile(RunSpan(area.span));
        NameSums of_rank{std::vector<NameSums::Sum>(trace.strings.size())};
        for (; place != area.tracks.end() && place->rank == rank; ++place) {
            if (!addTrack(trace, place->track, window, stop, of_rank, sums)) {
                return Cancelled{};
            }
        }
        for (std::uint32_t id = 0; id < of_rank.by_name.size(); ++id) {
            const NameSums::Sum& sum = of_rank.by_name[id];
            if (sum.count > 0) {
                AreaName& name = names[trace.strings.view(StringId(id))];
                name.count += sum.count;
                name.total_ns += sum.total_ns;
                name.self_ns += sum.total_ns - sum.inside_ns;
            }
        }
        sums.ranks.push_back(rankOf(facts, rank, window));
    }
    addCollectives(facts, clock, area, sums);
    for (auto& [text, name] : names) {
        name.name = text;
        sums.names.push_back(std::move(name));
    }
    std::ranges::sort(sums.names, [](const AreaName& a, const AreaName& b) {
        return std::tuple(-a.total_ns, std::string_view(a.name)) < std::tuple(-b.total_ns, std::string_view(b.name));
    });
    return sums;
}

}  // namespace rankscope
