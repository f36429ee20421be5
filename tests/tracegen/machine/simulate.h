// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/base/string_pool.h"
#include "tests/tracegen/machine/config.h"

namespace rankscope::tracegen::machine {

/// A whole run as it truly was: nanoseconds since the machine was switched on, on one clock.
struct TrueRun {
    Config config;
    std::shared_ptr<const StringPool> names;
    std::vector<std::vector<Event>> events;  ///< by rank, in the order of their starts
    std::vector<TimeNs> step_ends;           ///< of each step, when the last rank was through with all of it
    TimeNs window_start_ns = 0;              ///< when the last rank was through with the step before the first
    std::vector<int> most_running;           ///< by host, the most threads that ever ran at once

    [[nodiscard]] DurationNs meanStep() const {
        return (step_ends.back() - window_start_ns) / static_cast<DurationNs>(step_ends.size());
    }
};

/// Switches the machine on and lets the ranks train. Throws std::invalid_argument for a configuration without ranks,
/// hosts, steps or warm-up, std::logic_error where the ranks wait for each other for ever.
[[nodiscard]] TrueRun simulate(const Config& config);

}  // namespace rankscope::tracegen::machine
