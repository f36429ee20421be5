// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/run_clock.h"

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

std::optional<DurationNs> RunClock::uncertaintyBetween(std::uint32_t a, std::uint32_t b) const {
    const RankClock& one = ranks[a];
    const RankClock& other = ranks[b];
    if (a == b) {
        return 0;
    }
    if (one.reference != other.reference || !one.uncertainty_ns || !other.uncertainty_ns) {
        return std::nullopt;
    }
    if (one.domain == other.domain) {
        return kSharedClockNs;
    }
    return std::llround(
        std::hypot(static_cast<double>(*one.uncertainty_ns), static_cast<double>(*other.uncertainty_ns)));
}

std::string_view clockMethodName(ClockMethod method) {
    switch (method) {
        case ClockMethod::FileTimes: return "file-times";
        case ClockMethod::SharedHost: return "shared-host";
        case ClockMethod::OneClock: return "one-clock";
        case ClockMethod::Fitted: return "fitted";
        case ClockMethod::Typed: return "typed";
    }
    return "file-times";
}

}  // namespace rankscope
