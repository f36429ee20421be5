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
    std::vector<PipelinePass> passes;  ///< sorted by start
};

/// The result of recognising a schedule by the order of the passes of a step.
struct RecognisedSchedule {
    std::optional<Schedule> schedule;  ///< nothing if none fits
    std::int32_t stages_per_rank = 1;
    std::int32_t micro_batches = 0;
    bool folded = false;                ///< as PipelineShape::folded
    std::vector<std::string> evidence;  ///< sentences
    std::vector<std::string> notes;     ///< sentences: why it is unknown, and what to record
};

/// Recognises the schedule of a pipeline of `size` ranks by the passes of its recorded ranks, and fills in the stages
/// and micro-batches of passes whose names do not have them. `wraps`: the last rank sends to the first, as with
/// interleaved stages. Nothing if the ranks have different numbers of passes.
[[nodiscard]] std::optional<RecognisedSchedule> recogniseSchedule(std::int32_t size, std::vector<PlacedPasses>& ranks,
                                                                  bool wraps = false);

}  // namespace rankscope
