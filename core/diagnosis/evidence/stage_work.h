// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// Why one rank of a pipeline takes longer for its passes than the others: both as shares, 0 if it is as they are,
/// less than 0 if it has or takes less.
struct StageWork {
    double slower = 0;  ///< its pieces of device work take so much longer than theirs of the same names
    double more = 0;    ///< what is left: it has so much more of them, or larger ones besides

    /// Whether more work is most of why, and more than 2 %.
    [[nodiscard]] bool hasMore() const;
};

/// Compares what the rank at `place` of Pipeline::ranks ran in the passes of the counted steps with what the others did
/// there, name by name: the median length of its own pieces, and the median of the others' medians. Linear in their
/// device work, except for sorting.
[[nodiscard]] StageWork compareStageWork(const RuleContext& context, const Pipeline& pipeline, std::size_t place);

/// What each rank of a pipeline computes in the passes of a counted step, the mean, without what it exchanges there: as
/// Pipeline::ranks. Linear in their device work.
[[nodiscard]] std::vector<DurationNs> computationInPasses(const RuleContext& context, const Pipeline& pipeline);

}  // namespace rankscope
