// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/typical_step.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rankscope {

std::size_t typicalStepOf(const Pipeline& pipeline) {
    std::vector<std::size_t> steps = pipeline.counted;
    if (steps.empty()) {
        return 0;
    }
    std::ranges::sort(steps, {},
                      [&](std::size_t step) { return std::pair(pipeline.steps[step].window.plain().length(), step); });
    return steps[(steps.size() - 1) / 2];
}

}  // namespace rankscope
