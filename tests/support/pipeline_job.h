// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/trace/run.h"

namespace rankscope::test {

/// Times of one stage, in microseconds.
struct StageLengths {
    double forward_us = 100;
    double backward_us = 200;
    double weight_us = 100;  ///< where a schedule has it apart
};

/// A pipeline that was made by hand. Each rank runs its passes in this order, each as soon as it is free and what the
/// pass waits for has ended.
struct PipelineJob {
    /// By rank: passes as torch.distributed.pipelining names them, stage, letter, micro-batch: "0F0 0F1 0B0 0B1".
    std::vector<std::string> orders;
    std::vector<StageLengths> stages;  ///< by stage; the last stands for those beyond it
    double hand_over_us = 0;           ///< from the end of a pass to the start of one on another rank that waits for it
    bool named = false;                ///< ranges name stage and micro-batch of each pass
    int kernels = 3;                   ///< in each pass
    std::vector<int> more_kernels = {};  ///< by rank: so many more than that
    int steps = 3;
    std::vector<int> layers = {};  ///< by rank: modules named Layer_0, Layer_1, ... in the forward; empty: not recorded
    bool bare = false;             ///< kernels of sends and receives have no args, as of batched ones
    bool clips = false;            ///< as much work as a pass has follows the last one: gradients are clipped
    int missing = -1;              ///< this rank was not recorded
    /// Behind its last pass each rank waits in an all-reduce with so many more ranks, none of which was recorded.
    int norm_with = 0;
    bool norm_apart = false;  ///< each rank waits with one of these alone, for none of its own pipeline
};

/// How long a step lasts from the first pass to the last, and how long each rank is busy in it; in nanoseconds.
struct PlannedStep {
    std::int64_t window_ns = 0;
    std::vector<std::int64_t> busy_ns;
};
[[nodiscard]] PlannedStep planOf(const PipelineJob& job);

/// The traces of all of its ranks, whose sends and receives are in a group of that description.
[[nodiscard]] std::shared_ptr<const Run> runOf(const PipelineJob& job,
                                               const std::string& group = "PIPELINE_MODEL_PARALLEL_GROUP");

/// GPipe, 1F1B and interleaved 1F1B as they stand in the papers: three ranks with four micro-batches, three with
/// five, and two ranks with two stages each and four micro-batches.
[[nodiscard]] PipelineJob gpipeJob();
[[nodiscard]] PipelineJob oneFOneBJob();
[[nodiscard]] PipelineJob interleavedJob();
/// The second of these, whose last stage takes half as long again.
[[nodiscard]] PipelineJob slowLastStage();

}  // namespace rankscope::test
