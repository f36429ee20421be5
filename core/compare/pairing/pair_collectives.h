// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// The collectives of one sort that begin in the complete, steady-state steps of a run.
struct CollectiveTimes {
    std::size_t count = 0;
    double step_count = 0;                  ///< of a step of the run
    std::optional<DurationNs> transfer_ns;  ///< the median; nothing if none can be divided
    std::optional<double> bus_gb_per_s;     ///< of that transfer; nothing without sizes
    std::optional<DurationNs> wait_ns;      ///< of a member, the mean
};

/// Collectives that do the same: of one kind, among this many ranks, with this many bytes.
struct CollectivePair {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::int32_t group_size = -1;       ///< -1 unknown
    std::optional<std::int64_t> bytes;  ///< nothing if not recorded
    CollectiveTimes a;
    CollectiveTimes b;
};

/// All sorts that either run has, by kind, number of ranks and bytes.
[[nodiscard]] std::vector<CollectivePair> pairCollectives(const AnalysedRun& a, const AnalysedRun& b);

}  // namespace rankscope
