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
                                    ? fmt::format("Only step {} is", chosen.first)
                                    : fmt::format("Only steps {} to {} are", chosen.first, chosen.last);
    std::string note = fmt::format(
        "{} read in full, {} of {}. All need about {} of memory, but only {} may be used. {}. All results are of "
        "these. Use --steps for others, or --memory or RANKSCOPE_MEMORY to allow more.",
        numbers, read, formatCounted(chosen.steps.size(), "step"), formatBytes(chosen.all_bytes),
        formatBytes(chosen.budget_bytes),
        read == 1 ? "It is the most typical one that fits" : "They are the most typical ones that fit together");
    if (chosen.without > 0) {
        note += fmt::format(" {} of {} ranks have none of them, and are missing in the results.",
                            formatCount(chosen.without), formatCount(chosen.ranks));
    }
    return note;
}

}  // namespace rankscope
