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
    /// Of their mean: the union minus the longer of both, or the exposed transfers if these are less, step by step.
    /// While a collective waits for a late rank, nothing that the others do at that time makes that rank arrive sooner.
    /// Communication that cannot be divided counts as transfers here: this is an upper bound.
    DurationNs wins_ns = 0;
    double share = 0;  ///< of the step
    /// The same if all of it that cannot be divided were waiting for other ranks.
    DurationNs least_ns = 0;
    double least_share = 0;

    /// Whether it is the same answer at this share of the step whatever cannot be divided is.
    [[nodiscard]] bool isTold(double limit) const { return share < limit || least_share >= limit; }
};

/// Nothing if there is no such step.
[[nodiscard]] std::optional<Hideable> hideableOf(const RunFacts& facts);

}  // namespace rankscope::report
