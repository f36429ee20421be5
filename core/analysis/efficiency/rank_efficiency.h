// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/efficiency/device_peaks.h"
#include "core/analysis/efficiency/efficiency.h"
#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// How well one rank uses its device, and its own tables.
struct MeasuredEfficiency {
    RankEfficiency rank;
    ProductTables tables;
};

/// Measures one rank by the peak of its device; nothing if unknown.
[[nodiscard]] MeasuredEfficiency measureRank(const RankContext& work, RankPosition position, const RunFacts& facts,
                                             const std::optional<DevicePeak>& peak);

/// The part of the time for a device that is idle for this cause.
[[nodiscard]] TimePart timePartOf(Cause cause);

/// The device that a rank's facts are about, as its file describes it; null if it does not.
[[nodiscard]] const DeviceProperties* deviceOf(const RankTrace& trace, std::int32_t device);

}  // namespace rankscope
