// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/fast_hosts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/diagnosis/evidence/host_changes.h"
#include "core/diagnosis/evidence/truncated_timestamps.h"
#include "core/diagnosis/prices/launched_work.h"

namespace rankscope {

LaunchedKernels medianKernels(const RuleContext& context) {
    const auto add = [](LaunchedKernels& kernels, const RankContext& work, const DeviceEvent& event) {
        if (event.launch.valid() && work.trace->category(event.ref) == Category::Kernel) {
            ++kernels.count;
            kernels.shorter += event.span.length() < event.call.length() ? 1U : 0U;
        }
    };
    auto steps = sumLaunchedWork<LaunchedKernels>(context, add);
    std::ranges::sort(steps, {}, &LaunchedKernels::count);
    return steps.empty() ? LaunchedKernels() : steps[(steps.size() - 1) / 2];
}

FastHosts::FastHosts(const RuleContext& context, const LateHost& late) : context_(context) {
    const auto of_others = [&](const LedgerEntry& e) { return !late.isLaunching(e); };
    for (RankPosition rank{0}; rank < context.work.size(); ++rank) {
        const RankContext& work = context.work[rank];
        // All slices of other findings, not only those in gaps: once the host catches up, they would delay the next
        // launches.
        const std::vector<bool> names = late.namesOfOthers(work);
        const auto others = [&](StringId name, Category category) {
            const HostKind kind = work.names.kind(name, category);
            return (name.valid() && names[name.value]) || kind == HostKind::Allocator || kind == HostKind::WarmUp;
        };
        of_others_.push_back(hostTimeOf(context, rank, of_others, others));
    }
}

ReplayChange FastHosts::changeOf(RankPosition rank, std::vector<TimeSpan> kept) const {
    const RankContext& work = context_.work[rank];
    const IntervalSet staying = of_others_[rank].unite(IntervalSet::unionOf(std::move(kept)));
    ReplayChange change;
    change.queue_gap = 0;
    for (const TimeSpan& window : context_.facts.ranks[rank].windows.all()) {
        std::ranges::move(without(staying.gapsIn(window)), std::back_inserter(change.host));
    }
    const TruncatedTimestamps cut(work, context_.facts.ranks[rank].work_classes);
    if (cut.whole()) {
        change.length = [cut](const ReplayEvent& event) { return cut.likelyLength(event); };
    }
    return change;
}

}  // namespace rankscope
