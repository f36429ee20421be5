// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/tracegen/config.h"

namespace rankscope::tracegen {

/// So many ranks and steps with these faults, as parseFault() reads them. All else has its default.
[[nodiscard]] inline Config configOf(int ranks, int steps, const std::vector<std::string>& faults = {}) {
    Config config;
    config.ranks = ranks;
    config.steps = steps;
    for (const std::string& fault : faults) {
        config.faults.push_back(parseFault(fault));
    }
    return config;
}

}  // namespace rankscope::tracegen
