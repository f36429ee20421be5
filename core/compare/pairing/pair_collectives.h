// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// The collectives of one sort that begin in a run's complete, steady-state steps.
struct CollectiveTimes {
    std::size_t count = 0;
    double step_count = 0;                  ///< per step of the run
    std::optional<DurationNs> transfer_ns;  ///< the median; nothing if none can be divided from its wait
    std::optional<double> bus_gb_per_s;     ///< of that transfer; nothing if sizes are unknown
    std::optional<DurationNs> wait_ns;      ///< mean per member
};

/// Collectives of one sort: same kind, number of ranks and bytes.
struct CollectivePair {
    CollectiveKind kind = CollectiveKind::Unknown;
    std::int32_t group_size = -1;       ///< -1: unknown
    std::optional<std::int64_t> bytes;  ///< nothing if not recorded
    CollectiveTimes a;
    CollectiveTimes b;
};

/// All sorts that either run has.
[[nodiscard]] std::vector<CollectivePair> pairCollectives(const AnalysedRun& a, const AnalysedRun& b);

}  // namespace rankscope
