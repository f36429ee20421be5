// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

// What the findings about pipelines share.

/// The pipeline whose schedule takes longest, among those whose stages are all known: all pipelines of a job wait for
/// it at the end of a step. nullptr if there is none.
[[nodiscard]] const Pipeline* slowestPipeline(const RuleContext& context);

/// The ranks of all pipelines whose stages are all known, ascending.
[[nodiscard]] std::vector<RankPosition> pipelineRanks(const RuleContext& context);

/// The median window of its counted steps.
[[nodiscard]] DurationNs windowOf(const Pipeline& pipeline);

/// A finding about a pipeline with this saving per step, simulated from its schedule; without texts, remedies, evidence
/// and ranks. Nothing if it is below Pricer::kLeastShare of the step. The forecast assumes that a stage's time for a
/// micro-batch does not depend on what precedes it. Confidence is medium; low if the simulated step is more than 10 %
/// off the measured one.
[[nodiscard]] std::optional<Finding> pipelineFinding(const RuleContext& context, const Pipeline& pipeline, FindingId id,
                                                     DurationNs saving_ns);

/// The title of a finding about the bubble of `of`, whose ranks are `ranks`. It is about all pipelines of the run if
/// each is idle for the same share of its time, else about that pipeline's ranks.
[[nodiscard]] std::string bubbleTitle(const Sentences& sentences, const std::vector<Pipeline>& all, const Pipeline& of,
                                      const std::string& ranks);

/// The time of each rank of a pipeline per micro-batch, forward and backward of all its stages: by place.
[[nodiscard]] std::vector<DurationNs> rankTimes(const Pipeline& pipeline);

/// A sum over all ranks and counted steps, per rank and step.
[[nodiscard]] DurationNs ofARankAndStep(const Pipeline& pipeline, DurationNs sum_ns);

}  // namespace rankscope
