// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"

namespace rankscope {

/// The times of each stage per micro-batch, by stage: medians over the counted steps of `pipeline`. Empty if a stage is
/// not known, or has no passes there.
[[nodiscard]] std::vector<StageTime> stageTimes(const Pipeline& pipeline);

/// The simulated length of a step by its schedule, and with other numbers of micro-batches and stages. Reads stage
/// times, schedule and counted steps. Nothing if they are not known for all ranks.
[[nodiscard]] std::optional<PipelineForecast> forecastPipeline(const Pipeline& pipeline);

/// The share of the bubble if all stages took the mean of their times, separately for each kind of pass, with
/// hand-overs of zero length: simulated in the order of the passes. Nothing if forecastPipeline() returns nothing.
[[nodiscard]] std::optional<double> playedTheory(const Pipeline& pipeline);

/// The share of the bubble of DualPipeV (Pipeline::folded) if all stages took the mean of their times and hand-overs
/// took zero time, simulated in the order of the passes. The mean is separate for a forward F and a whole backward B by
/// themselves, a backward without the weights, the gradient of weights W, and a forward and a backward at once, F&B.
/// With F = W = B/2, the rank that idles most does so for (p-1)(F&B + B - 3W). That is DualPipe's bubble in DeepSeek-V3
/// (arXiv 2412.19437, table 2), (PP/2-1)(F&B + B - 3W), with PP = 2p stages. Nothing for other schedules, and if a
/// rank, a stage, or what runs at once is not known.
[[nodiscard]] std::optional<double> dualPipeTheory(const Pipeline& pipeline);

}  // namespace rankscope
