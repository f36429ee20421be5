// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"

namespace rankscope {

/// What each stage takes of a micro-batch, by stage: medians over the counted steps of `pipeline`. Empty where a stage
/// is not known, or has no passes there.
[[nodiscard]] std::vector<StageTime> stageTimes(const Pipeline& pipeline);

/// How long a step takes, played by its schedule, and how long with other numbers of micro-batches and stages. Reads
/// stage times, schedule and counted steps. Nothing where they are not known of all ranks.
[[nodiscard]] std::optional<PipelineForecast> forecastPipeline(const Pipeline& pipeline);

/// The share of the bubble if all stages took the mean of what they take, apart for each kind of pass, and handed over
/// in no time: played in the order of the passes. Nothing where forecastPipeline() has nothing.
[[nodiscard]] std::optional<double> playedTheory(const Pipeline& pipeline);

}  // namespace rankscope
