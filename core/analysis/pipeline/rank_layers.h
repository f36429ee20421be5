// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/trace/run.h"

namespace rankscope {

/// The number of layers that each rank of a pipeline runs, if Python stacks or modules were recorded on all of them. A
/// layer is an instance of the module class that repeats nearest to the root of the model, on most of the ranks.
/// Nothing if no class does, or if a rank has no instance of it. Linear in slices of host threads.
[[nodiscard]] PipelineLayers layersOf(const Run& run, const std::vector<RankPosition>& ranks);

}  // namespace rankscope
