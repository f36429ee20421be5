// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// Why one rank of a pipeline takes longer for its passes than the others, as shares: 0 if equal to the others, below 0
/// if it is faster or has less work.
struct StageWork {
    double slower = 0;  ///< how much longer its device work takes than the others' of the same names
    double more = 0;    ///< the rest: how much more device work it has, or larger pieces

    /// Whether most of it is more work, and that is more than 2 %.
    [[nodiscard]] bool hasMore() const;
};

/// Compares what the rank at `place` of Pipeline::ranks ran in the passes of the counted steps with what the others
/// ran, name by name: the median length of its pieces against the median of the others' medians. Linear in their device
/// work, except for sorting.
[[nodiscard]] StageWork compareStageWork(const RuleContext& context, const Pipeline& pipeline, std::size_t place);

/// The mean compute time of each rank of a pipeline in the passes of a counted step, without the messages it exchanges
/// there; in the order of Pipeline::ranks. Linear in their device work.
[[nodiscard]] std::vector<DurationNs> computationInPasses(const RuleContext& context, const Pipeline& pipeline);

}  // namespace rankscope
