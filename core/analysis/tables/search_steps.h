// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/facts.h"
#include "core/analysis/tables/search_slices.h"
#include "core/base/ids.h"

namespace rankscope {

/// A step as people write it.
struct StepInWords {
    std::int64_t step = 0;           ///< its number, as RunStep::index
    std::optional<RankNumber> rank;  ///< nothing: on all ranks
    friend bool operator==(const StepInWords&, const StepInWords&) = default;
};

/// The step that "step 7", "Step 7 of rank 3" or "rank 3, step 7" names; nothing for any other text.
[[nodiscard]] std::optional<StepInWords> stepInWords(std::string_view text);

/// The marks of the step that `text` names, in the order of searchSlices(). Empty if it names none, if the run does not
/// have that step, or if the step has no mark.
[[nodiscard]] SearchHits searchSteps(const Run& run, const RunFacts& facts, const RunClock& clock,
                                     std::string_view text);

}  // namespace rankscope
