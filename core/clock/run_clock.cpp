// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/run_clock.h"

#include <algorithm>
#include <cmath>

namespace rankscope {

TimeNs RankClock::toRun(TimeNs file_ns) const {
    if (drift_ppm == 0.0) {
        return file_ns + offset_ns;
    }
    // Only the distance from the reference goes through a double: an epoch in nanoseconds would lose 200 ns there.
    const double drift_ns = static_cast<double>(file_ns - reference_ns) * drift_ppm * 1e-6;
    return file_ns + offset_ns + static_cast<DurationNs>(std::llround(drift_ns));
}

TimeNs RankClock::toFile(TimeNs run_ns) const {
    if (drift_ppm == 0.0) {
        return run_ns - offset_ns;
    }
    const double distance_ns = static_cast<double>(run_ns - offset_ns - reference_ns) / (1.0 + drift_ppm * 1e-6);
    return reference_ns + static_cast<DurationNs>(std::llround(distance_ns));
}

RunClock alignClocks(const Run& run, const std::vector<ClockMatch>& /*matches*/, const ClockOptions& /*options*/) {
    RunClock clock;
    clock.ranks.resize(run.ranks.size());
    bool first = true;
    for (const auto& rank : run.ranks) {
        if (!rank->window.empty()) {
            clock.base_ns = first ? rank->window.start_ns : std::min(clock.base_ns, rank->window.start_ns);
            first = false;
        }
    }
    return clock;
}

std::string_view clockMethodName(ClockMethod method) {
    switch (method) {
        case ClockMethod::FileTimes: return "file-times";
        case ClockMethod::SharedHost: return "shared-host";
        case ClockMethod::Fitted: return "fitted";
        case ClockMethod::Typed: return "typed";
    }
    return "file-times";
}

}  // namespace rankscope
