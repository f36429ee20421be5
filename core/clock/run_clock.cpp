// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/run_clock.h"

#include <cmath>

namespace rankscope {

RunTime RankClock::toRun(FileTime file_ns) const {
    if (drift_ppm == 0.0) {
        return RunTime(file_ns + offset_ns);
    }
    // Only the distance from the reference goes through a double: an epoch in nanoseconds would lose 200 ns there.
    const double drift_ns = static_cast<double>(file_ns - reference_ns) * drift_ppm * 1e-6;
    return RunTime(file_ns + offset_ns + static_cast<DurationNs>(std::llround(drift_ns)));
}

FileTime RankClock::toFile(RunTime run_ns) const {
    if (drift_ppm == 0.0) {
        return FileTime(run_ns - offset_ns);
    }
    const double distance_ns = static_cast<double>(run_ns - offset_ns - reference_ns) / (1.0 + drift_ppm * 1e-6);
    return FileTime(reference_ns + static_cast<DurationNs>(std::llround(distance_ns)));
}

RunSpan RankClock::toRun(const FileSpan& span) const {
    const auto& [start_ns, end_ns] = span.plain();
    return RunSpan({toRun(FileTime(start_ns)), toRun(FileTime(end_ns))});
}

FileSpan RankClock::toFile(const RunSpan& span) const {
    const auto& [start_ns, end_ns] = span.plain();
    return FileSpan({toFile(RunTime(start_ns)), toFile(RunTime(end_ns))});
}

std::optional<DurationNs> RunClock::uncertaintyBetween(RankPosition a, RankPosition b) const {
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
    const bool one_island = one.island && one.island == other.island;
    return std::llround(std::hypot(static_cast<double>(one_island ? one.in_island_ns : *one.uncertainty_ns),
                                   static_cast<double>(one_island ? other.in_island_ns : *other.uncertainty_ns)));
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
