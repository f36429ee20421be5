// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/rank_context.h"
#include "core/base/ids.h"

namespace rankscope {

/// The passes that one rank ran in each of its `steps` steps, as RankFacts::steps and by start, if ranges or functions
/// name them. Stage and micro-batch come from these names. Of nested ranges the outermost counts. A pass lasts as long
/// as its work on the stream that computes most, including kernels of `inner` (sorted) that were launched in it:
/// communication that its stage needs to continue. Linear in slices of host threads and in device work, except for
/// sorting.
[[nodiscard]] std::vector<std::vector<PipelinePass>> passesByName(const RankContext& work, PassSource source,
                                                                  std::size_t steps,
                                                                  const std::vector<SliceRef>& inner = {});

/// The same if no name shows them. A pass is device work of the forward, or of autograd's backward, between two calls
/// of sends and receives, which began on the host at `exchanges` (ascending); or of another forward, by the flows
/// between operators and their autograd nodes. Left out is what has less than a tenth of the work of the largest pass
/// of its kind, and what comes after the last backward of a step. `weights`: gradients of weights alone are separate
/// passes, if they can be recognised (launchedWork()).
[[nodiscard]] std::vector<std::vector<PipelinePass>> passesBetween(const RankContext& work,
                                                                   const std::vector<TimeNs>& exchanges,
                                                                   std::size_t steps,
                                                                   const std::vector<SliceRef>& inner = {},
                                                                   bool weights = false);

}  // namespace rankscope
