// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/analysis/replay/replay_model.h"
#include "core/analysis/steps/phases.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// The phase that launched each piece of device work: by rank, and by ReplayModel::events. Other if the launch is
/// unknown or in no phase. Linear in device work and slices of the host.
using EventPhases = std::vector<std::vector<Phase>>;
[[nodiscard]] EventPhases eventPhases(const RuleContext& context);

/// The shortest kernel of each rank that computes, by RankPosition; 0 without one. How long a kernel takes whatever its
/// work: the launch floor.
using LaunchFloors = std::vector<DurationNs>;
[[nodiscard]] LaunchFloors launchFloors(const RuleContext& context);

/// A length whose part beyond `floor_ns` takes `factor` times as long.
[[nodiscard]] DurationNs scaledBeyond(DurationNs floor_ns, DurationNs length_ns, double factor);

/// The lengths of device work if each rank updates only `share` of what it updates today: work of the optimizer beyond
/// the launch floor shrinks to that share.
[[nodiscard]] std::function<DurationNs(RankPosition rank, const ReplayEvent& event, DurationNs length_ns)>
optimizerOnShare(const RuleContext& context, double share);

/// The index of an event of a rank's model.
[[nodiscard]] inline std::size_t indexOf(const ReplayModel& rank, const ReplayEvent& event) {
    return static_cast<std::size_t>(&event - rank.events.data());
}

}  // namespace rankscope
