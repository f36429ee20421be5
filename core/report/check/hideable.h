// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/device/overlap_efficiency.h"
#include "core/analysis/run_facts.h"

namespace rankscope::report {

/// What better overlap could win, at most, over the complete, steady-state steps of all ranks that have both
/// computation and communication.
struct Hideable {
    OverlapEfficiency overlap;  ///< summed over these steps
    /// Of their mean: the union less the longer of both, or the exposed transfers where these are less, step by step.
    /// While a collective waits for a late rank, nothing that the others do beside it makes that rank come sooner.
    DurationNs wins_ns = 0;
    double share = 0;  ///< of the step
};

/// Nothing where there is no such step.
[[nodiscard]] std::optional<Hideable> hideableOf(const RunFacts& facts);

}  // namespace rankscope::report
