// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/stream_work.h"

#include <algorithm>
#include <limits>

namespace rankscope {
namespace {

constexpr TimeNs kBeforeAllLaunches = std::numeric_limits<TimeNs>::min();

bool tellsLaunches(std::span<const StreamWork> work) {
    return std::ranges::any_of(work, [](const StreamWork& piece) { return piece.called_ns.has_value(); });
}

/// Calls `use` with each piece and the time of its launch.
template <class Use>
void eachLaunch(std::span<const StreamWork> work, const Use& use) {
    const bool any_launch = tellsLaunches(work);
    TimeNs launched_ns = kBeforeAllLaunches;
    for (const StreamWork& piece : work) {
        launched_ns = piece.called_ns.value_or(launched_ns);
        use(piece, any_launch ? launched_ns : piece.span.start_ns);
    }
}

}  // namespace

std::vector<bool> workToKeep(std::span<const StreamWork> work, const WantedSteps& wanted) {
    const bool any_launch = tellsLaunches(work);
    std::vector<bool> kept;
    kept.reserve(work.size());
    eachLaunch(work, [&](const StreamWork& piece, TimeNs launched_ns) {
        const bool overlaps = piece.span.start_ns < wanted.window.end_ns && piece.span.end_ns > wanted.window.start_ns;
        kept.push_back(any_launch ? wanted.window.contains(launched_ns) : overlaps);
    });
    return kept;
}

void addEarlier(std::span<const StreamWork> work, std::int32_t device, const WantedSteps& wanted,
                EarlierSteps& earlier) {
    std::optional<TimeNs> work_ns;
    std::optional<TimeNs> step_work_ns;
    eachLaunch(work, [&](const StreamWork& piece, TimeNs launched_ns) {
        if (piece.span.empty() || launched_ns >= wanted.begin_ns) {
            return;  // work of zero length delays no step
        }
        work_ns = std::max(piece.span.end_ns, work_ns.value_or(piece.span.end_ns));
        if (wanted.before && launched_ns < wanted.before->host.end_ns) {
            step_work_ns = std::max(piece.span.end_ns, step_work_ns.value_or(piece.span.end_ns));
        }
    });
    if (!work_ns) {
        return;
    }
    const auto known = std::ranges::find(earlier.devices, device, &EarlierSteps::DeviceEnds::device);
    if (known == earlier.devices.end()) {
        earlier.devices.push_back({device, *work_ns, step_work_ns});
        return;
    }
    known->work_ns = std::max(known->work_ns, *work_ns);
    known->step_work_ns = std::max(known->step_work_ns, step_work_ns);  // nothing is less than any time
}

EarlierSteps stepBefore(const WantedSteps& wanted) {
    EarlierSteps earlier;
    if (wanted.before) {
        earlier.number = wanted.before->number;
        earlier.host_end_ns = wanted.before->host.end_ns;
    }
    return earlier;
}

}  // namespace rankscope
