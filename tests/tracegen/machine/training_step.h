// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "tests/tracegen/machine/step_builder.h"

namespace rankscope::tracegen::machine {

/// A bucket of gradients, in the order in which they are sent.
struct Bucket {
    int last_block = 0;  ///< the block whose backward completes it
    std::int64_t elements = 0;
};
/// As DDP packs them: from the last block to the first, the first bucket of 1 MiB at most, parameters undivided.
[[nodiscard]] std::vector<Bucket> bucketsOf(const ModelSpec& model);

/// The programs of one rank's step, numbered from the window's first; warm-up steps are negative.
[[nodiscard]] StepProgram buildStep(const Config& config, int rank, int step, StringPool& names);
/// What the profiler does at the end of its window.
[[nodiscard]] Program buildWindowEnd(const Config& config, int rank, StringPool& names);

/// By how much all kernels of a rank's step take longer than usual: chance, and an uneven batch.
[[nodiscard]] double kernelFactorOf(const Config& config, int rank, int step);

// The parts of a step, for the thread that `b` writes.
void buildInput(StepBuilder& b);
void buildForward(StepBuilder& b);
void buildBackward(StepBuilder& b);
void buildOptimizer(StepBuilder& b);
/// What the training loop does beside training, in the steps that it does it in.
void buildCheckpoint(StepBuilder& b);
void buildEvaluation(StepBuilder& b);

}  // namespace rankscope::tracegen::machine
