// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/rank_context.h"
#include "core/base/ids.h"

namespace rankscope {

/// The passes that one rank ran in each of its `steps` steps, as RankFacts::steps and by start: those that ranges or
/// functions name. Stage and micro-batch as these say. Of ranges inside one another the outermost counts. A pass lasts
/// as its work on the stream that computes most does, with the kernels of `inner` (sorted) that were launched in it:
/// communication that its stage needs to go on. Linear in slices of host threads and in device work, but for sorting.
[[nodiscard]] std::vector<std::vector<PipelinePass>> passesByName(const RankContext& work, PassSource source,
                                                                  std::size_t steps,
                                                                  const std::vector<SliceRef>& inner = {});

/// The same where no name shows them: device work of the forward, and of autograd's backward, each between two calls of
/// sends and receives, which began on the host at `exchanges` (ascending), or of another forward
/// by the flows between operators and their nodes. What has less than a tenth of the work that
/// the largest pass of its kind has is none, nor is what comes after the last backward of a step. `weights`: gradients
/// of weights alone are passes of their own, where they can be determined (launchedWork).
[[nodiscard]] std::vector<std::vector<PipelinePass>> passesBetween(const RankContext& work,
                                                                   const std::vector<TimeNs>& exchanges,
                                                                   std::size_t steps,
                                                                   const std::vector<SliceRef>& inner = {},
                                                                   bool weights = false);

}  // namespace rankscope
