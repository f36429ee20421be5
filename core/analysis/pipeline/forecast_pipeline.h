// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"

namespace rankscope {

/// What each stage takes of a micro-batch, by stage: medians over the counted steps of `pipeline`. Empty if a stage
/// is not known, or has no passes there.
[[nodiscard]] std::vector<StageTime> stageTimes(const Pipeline& pipeline);

/// How long a step takes, played by its schedule, and how long with other numbers of micro-batches and stages. Reads
/// stage times, schedule and counted steps. Nothing if they are not known of all ranks.
[[nodiscard]] std::optional<PipelineForecast> forecastPipeline(const Pipeline& pipeline);

/// The share of the bubble if all stages took the mean of what they take, apart for each kind of pass, and handed over
/// in no time: played in the order of the passes. Nothing if forecastPipeline() has nothing.
[[nodiscard]] std::optional<double> playedTheory(const Pipeline& pipeline);

/// The share of the bubble of DualPipeV (Pipeline::folded) if all stages took the mean of what they take, apart for a
/// forward F and a whole backward B by themselves, a backward without the weights, the gradient of weights W, and a
/// forward and a backward beside one another F&B, and handed over in no time: played in the order of the passes. Where
/// F = W = B/2 the rank that idles most does so for (p-1)(F&B + B - 3W), which is what DeepSeek-V3 (arXiv 2412.19437,
/// table 2) has for DualPipe, (PP/2-1)(F&B + B - 3W), with PP = 2p stages. Nothing for other schedules, and where a
/// rank, a stage, or what runs beside what is not known.
[[nodiscard]] std::optional<double> dualPipeTheory(const Pipeline& pipeline);

}  // namespace rankscope
