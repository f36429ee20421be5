// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/chosen_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.h"

namespace rankscope {

std::string chosenStepsNote(const ChosenSteps& chosen) {
    const auto read =
        std::ranges::count_if(chosen.steps, [&](const TabledStep& step) { return chosen.reads(step.number); });
    const std::string numbers = chosen.first == chosen.last
                                    ? fmt::format("Step {} alone is", chosen.first)
                                    : fmt::format("Steps {} to {} alone are", chosen.first, chosen.last);
    std::string note = fmt::format(
        "{} read in full, {} of {}: all would take about {} of memory, and {} may be used. {} that "
        "fit beside one another; what is told of a run is told of these. --steps reads others; --memory or "
        "RANKSCOPE_MEMORY allows more.",
        numbers, read, formatCounted(chosen.steps.size(), "step"), formatBytes(chosen.all_bytes),
        formatBytes(chosen.budget_bytes), read == 1 ? "It is the most usual one" : "They are the most usual ones");
    if (chosen.without > 0) {
        note += fmt::format(" {} of {} ranks have none of them, and are missing in what is told.",
                            formatCount(chosen.without), formatCount(chosen.ranks));
    }
    return note;
}

}  // namespace rankscope
