// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/trace/rank_trace.h"

namespace rankscope::test {

// HTA's definitions (0.6.1, hta/common/types.py and hta/analyzers), said again on our model. They are here to be held
// against what HTA itself computed, so that a difference between its numbers and ours is one of definition, not of
// arithmetic.

/// HTA's kernel types: by the name alone, tested in this order.
enum class HtaClass { Communication, Memory, Computation, Other };
[[nodiscard]] HtaClass htaClassOf(std::string_view name);

/// HTA's temporal breakdown and its overlap of communication.
struct HtaBreakdown {
    std::size_t rows = 0;  ///< device rows that it looks at
    DurationNs idle_ns = 0;
    DurationNs compute_ns = 0;
    DurationNs non_compute_ns = 0;
    DurationNs window_ns = 0;               ///< first start to last end of the rows
    std::optional<double> overlap_percent;  ///< 100 |C n K| / |C|; nothing without communication
};

/// The breakdown of one rank. Its rows are all slices of streams, those that wait (`cuda_sync`) included; where there
/// are several ProfilerSteps, only what was launched before the last of them began. What it does besides, counting host
/// operators with a `stream` argument, cannot be said on our model, which does not keep that argument.
[[nodiscard]] HtaBreakdown htaBreakdown(const RankTrace& rank);

}  // namespace rankscope::test
