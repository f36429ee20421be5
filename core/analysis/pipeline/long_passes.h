// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/pipeline/pipeline.h"
#include "core/trace/run.h"

namespace rankscope {

/// A pass that took much longer than most others of its kind and stage.
struct LongPass {
    std::size_t step = 0;       ///< among Pipeline::steps
    std::size_t rank = 0;       ///< among Pipeline::ranks
    std::size_t pass = 0;       ///< among RankPipelineStep::passes
    DurationNs took_ns = 0;     ///< its length
    DurationNs typical_ns = 0;  ///< StageTime of its stage and kind

    /// By how much it is longer than the typical pass. Never negative.
    [[nodiscard]] DurationNs excess() const { return took_ns - typical_ns; }
};

/// The passes of the counted steps that take at least three times their median, and exceed it by at least a hundredth
/// of their step; without passes that overlap others. The longest first. Reads stage times.
[[nodiscard]] std::vector<LongPass> longPasses(const Pipeline& pipeline);

/// A text about `passes`: how many, how much longer they are, and which is the longest; empty if there are none.
[[nodiscard]] std::string longPassesText(const Run& run, const RunFacts& facts, const Pipeline& pipeline,
                                         const std::vector<LongPass>& passes);

}  // namespace rankscope
