// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/ingest/assembly/partial_trace.h"

namespace rankscope {

/// Keeps only slices that touch the steps from `first` to `last` (numbers of ProfilerStep#), and the device work that
/// was launched in them.
struct StepWindow {
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> last;
    [[nodiscard]] bool everything() const { return !first && !last; }
};

/// Drops from `parts` what is not of those steps. Nothing is left where none of them is in the file.
void keepSteps(std::vector<PartialTrace>& parts, const StepWindow& steps);

}  // namespace rankscope
