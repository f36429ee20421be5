// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/analysis/facts.h"
#include "core/trace/run.h"

namespace rankscope {

/// What the tensor and sequence groups of a run communicate, by operation and layer: from the collectives, fits, steps
/// and roles of `facts`. Nothing if no group has such a role. Ranks are timed on up to `threads` threads.
[[nodiscard]] TensorFacts findTensor(const Run& run, const RunFacts& facts, std::size_t threads);

/// Whether no rank of a run trains: device work was recorded, but no backward, no optimizer and no DDP.
[[nodiscard]] bool isForwardOnly(const RunFacts& facts);

}  // namespace rankscope
