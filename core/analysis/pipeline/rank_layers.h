// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/trace/run.h"

namespace rankscope {

/// How many layers each rank of a pipeline runs, where Python stacks or modules were recorded on all of them: a layer
/// is an instance of the class of modules that repeats nearest to the root of the model, on most of the ranks. Nothing
/// where no class does, or a rank has none of it. Linear in slices of host threads.
[[nodiscard]] PipelineLayers layersOf(const Run& run, const std::vector<RankPosition>& ranks);

}  // namespace rankscope
