// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/clock/run_clock.h"
#include "tests/tracegen/simulate.h"

namespace rankscope::accuracy {

/// How far one rank's clock is off after the fit, against the rank that the run's clock is taken from.
struct ClockScore {
    DurationNs error_ns = 0;                   ///< the largest at start, middle and end of the window
    std::optional<DurationNs> uncertainty_ns;  ///< as reported for this rank and the reference together

    [[nodiscard]] bool covered() const { return uncertainty_ns && error_ns <= *uncertainty_ns; }
    /// Within 5 us, or within the reported uncertainty where that is larger.
    [[nodiscard]] bool withinTarget() const { return error_ns <= 5'000 || covered(); }
};

/// A score for every rank but the reference; none where no clocks were planted.
[[nodiscard]] std::vector<ClockScore> scoreClocks(const tracegen::RunResult& simulated, const RunClock& clock);

}  // namespace rankscope::accuracy
