// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"

namespace rankscope {

/// The passes of one step on one rank of a pipeline.
struct PlacedPasses {
    std::int32_t place = 0;            ///< of the rank, from 0 to the pipeline's size - 1
    std::vector<PipelinePass> passes;  ///< by start
};

/// What the order of the passes of a step says.
struct RecognisedSchedule {
    std::optional<Schedule> schedule;  ///< nothing if none fits
    std::int32_t stages_per_rank = 1;
    std::int32_t micro_batches = 0;
    bool folded = false;                ///< as PipelineShape::folded
    std::vector<std::string> evidence;  ///< sentences
    std::vector<std::string> notes;     ///< sentences: why it cannot be determined, and what to record
};

/// Which schedule a pipeline of `size` ranks ran, by the passes of those that were recorded, and fills in stages and
/// micro-batches of passes whose names do not say them. `wraps`: the last rank sends to the first, as
/// interleaved stages do. Nothing if the ranks do not have equally many passes.
[[nodiscard]] std::optional<RecognisedSchedule> recogniseSchedule(std::int32_t size, std::vector<PlacedPasses>& ranks,
                                                                  bool wraps = false);

}  // namespace rankscope
