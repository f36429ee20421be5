// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/gathers.h"

#include <algorithm>

#include "core/analysis/shards/unit_names.h"

namespace rankscope {
namespace {

/// The innermost range around a launch that names the unit; empty if there is none.
TimeSpan rangeAround(const RankTrace& rank, SliceRef launch) {
    if (!launch.valid()) {
        return {};
    }
    const SliceTable& slices = rank.track(launch).slices;
    for (SliceIndex i = launch.slice; i != kNoSlice; i = slices.parent[i]) {
        if (slices.name[i].valid() && unitOfRange(rank.strings.view(slices.name[i]))) {
            return slices.span(i);
        }
    }
    return {};
}

}  // namespace

std::vector<std::vector<SliceRef>> gatherCopies(const RuleContext& context,
                                                const std::vector<CollectivePosition>& gathers) {
    std::vector<std::vector<TimeSpan>> ranges(context.run.ranks.size());
    for (const CollectivePosition gather : gathers) {
        for (const CollectiveMember& member : context.facts.collectives.collectives[gather].members) {
            ranges[member.rank].push_back(rangeAround(*context.run.ranks[member.rank], member.launch));
        }
    }
    std::vector<std::vector<SliceRef>> copies(ranges.size());
    for (RankPosition r{0}; r < ranges.size(); ++r) {
        std::erase_if(ranges[r], [](const TimeSpan& range) { return range.empty(); });
        std::ranges::sort(ranges[r], {}, &TimeSpan::start_ns);
        for (const DeviceEvent& event : context.work[r].device.events) {
            const auto after = std::ranges::upper_bound(ranges[r], event.launched_ns, {}, &TimeSpan::start_ns);
            const bool inside = after != ranges[r].begin() && event.launched_ns < std::prev(after)->end_ns;
            if (inside && event.work != WorkClass::Communication) {
                copies[r].push_back(event.ref);
            }
        }
        std::ranges::sort(copies[r]);
    }
    return copies;
}

}  // namespace rankscope
