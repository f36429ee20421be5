// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>

#include "core/analysis/facts.h"

namespace rankscope::report {

/// The medians of a rank's steps, column by column, so the columns need not add up. In nanoseconds.
struct StepMedians {
    std::size_t steps = 0;   ///< all steps of the rank
    std::size_t steady = 0;  ///< complete and no outlier: the steps that the medians are over
    bool over_all = false;   ///< no step is steady, so the medians are over all steps
    DurationNs duration_ns = 0;
    std::optional<Partition> partition;  ///< nothing on a rank without device work
    std::optional<double> overlap;       ///< communication hidden by compute, |C n K| / |C|, 0 to 1; nothing if |C| = 0
    std::optional<double> utilisation;   ///< |K u C u M| / step, 0 to 1: the share of the step in which the device
                                         ///< works
    CauseTimes idle_causes;
};

/// Nothing for a rank without steps. With StepBasis::Mean the means in place of the medians.
[[nodiscard]] std::optional<StepMedians> stepMedians(const RankFacts& facts, StepBasis basis = StepBasis::Median);
/// The same for one rank over the priced steps (pricedSteps()), so that a table and a finding about one cause agree;
/// over all its steady-state steps if none is priced.
[[nodiscard]] std::optional<StepMedians> pricedMedians(const RunFacts& facts, RankPosition rank);

}  // namespace rankscope::report
