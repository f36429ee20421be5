// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/tracegen/machine/config.h"

namespace rankscope::accuracy {

/// A run on the event-driven machine, and the same run with a remedy really applied and with what that costs a machine.
struct ForecastCase {
    std::string name;                   ///< "first-workers/3": remedy and number
    std::string row;                    ///< "first-workers"
    std::vector<std::string> findings;  ///< whose forecast it is: the first of these that the run has
    tracegen::machine::Config before;
    tracegen::machine::Config after;
};

/// All of them. What a machine is like, and what the remedy costs it, is drawn by chance; ranges of it are in
/// docs/accuracy.md. No rule was chosen on those of the default seed.
[[nodiscard]] std::vector<ForecastCase> forecastCases(std::uint64_t first_seed = 301'000);

}  // namespace rankscope::accuracy
