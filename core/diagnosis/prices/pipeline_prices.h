// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

// What the findings about pipelines share.

/// The pipeline whose step takes longest by its schedule, of those whose stages are all known: all pipelines of a job
/// wait for it at the end of a step. nullptr if there is none.
[[nodiscard]] const Pipeline* slowestPipeline(const RuleContext& context);

/// The ranks of all pipelines whose stages are all known, ascending.
[[nodiscard]] std::vector<RankPosition> pipelineRanks(const RuleContext& context);

/// The median window of its counted steps.
[[nodiscard]] DurationNs windowOf(const Pipeline& pipeline);

/// A finding about a pipeline that would save so much of a step, as played by its schedule: all but its texts,
/// remedies, evidence and ranks. Nothing if that is below Pricer::kLeastShare of the step. It is a forecast
/// that takes for granted that a micro-batch takes a stage as long whatever comes before it: of medium confidence, of
/// low where the played step is more than 10 % off the measured one.
[[nodiscard]] std::optional<Finding> pipelineFinding(const RuleContext& context, const Pipeline& pipeline, FindingId id,
                                                     DurationNs saving_ns);

/// The title of a finding about the bubble of `of`, whose ranks are `ranks`: of all pipelines of the run where each
/// is idle for the same share of its time, else of that one by its ranks.
[[nodiscard]] std::string bubbleTitle(const Sentences& sentences, const std::vector<Pipeline>& all, const Pipeline& of,
                                      const std::string& ranks);

/// What all ranks of a pipeline take of a micro-batch, the forward, the backward and all of their stages: by place.
[[nodiscard]] std::vector<DurationNs> rankTimes(const Pipeline& pipeline);

/// A sum over all ranks and counted steps, of one rank and step.
[[nodiscard]] DurationNs ofARankAndStep(const Pipeline& pipeline, DurationNs sum_ns);

}  // namespace rankscope
