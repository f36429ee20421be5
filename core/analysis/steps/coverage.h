// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/base/time.h"

namespace rankscope {

/// The part of a window that a number is based on.
struct Coverage {
    std::size_t steps = 0;      ///< counted steps of the run
    std::size_t of_steps = 0;   ///< steps of the run that were recorded, complete or not
    DurationNs time_ns = 0;     ///< time of the counted steps
    DurationNs of_time_ns = 0;  ///< time of the recording: RunFacts::recorded_ns

    /// The share of the recorded time, 0 to 1.
    [[nodiscard]] double share() const {
        const double share =
            of_time_ns > 0 ? static_cast<double>(time_ns) / static_cast<double>(of_time_ns) : static_cast<double>(0);
        return share < 1 ? share : 1;
    }
    friend bool operator==(const Coverage&, const Coverage&) = default;
};

}  // namespace rankscope
