// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/analysis/device/overlap_efficiency.h"
#include "core/analysis/run_facts.h"

namespace rankscope::report {

/// The most that better overlap could save, over the complete, steady-state steps of all ranks with both computation
/// and communication.
struct Hideable {
    OverlapEfficiency overlap;  ///< summed over these steps
    /// Per mean step: the union minus the longer of the two, or the exposed transfers if these are less, step by step.
    /// While a collective waits for a late rank, overlap on the other ranks does not make that rank arrive sooner.
    /// Communication that cannot be divided counts as transfers here: this is an upper bound.
    DurationNs wins_ns = 0;
    double share = 0;  ///< as a share of the step
    /// wins_ns if all communication that cannot be divided were waiting for other ranks.
    DurationNs least_ns = 0;
    double least_share = 0;

    /// Whether the answer at this limit (a share of the step) is the same however undivided communication is divided.
    [[nodiscard]] bool isTold(double limit) const { return share < limit || least_share >= limit; }
};

/// Nothing if there is no such step.
[[nodiscard]] std::optional<Hideable> hideableOf(const RunFacts& facts);

}  // namespace rankscope::report
