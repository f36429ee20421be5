// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/clock/clock_match.h"
#include "core/trace/run.h"

namespace rankscope {

/// How a rank's clock was brought onto the run's.
enum class ClockMethod : std::uint8_t {
    FileTimes,   ///< the file's own times, untouched: nothing to fit, or the user asked for it
    SharedHost,  ///< the same host as the reference rank, hence the same clock
    Fitted,      ///< offset (and drift) fitted on the ends of matched collectives
    Typed,       ///< the user typed the offset
};

/// Carries one rank's file times to the run's clock: run = file + offset + drift x (file - reference).
struct RankClock {
    DurationNs offset_ns = 0;
    double drift_ppm = 0.0;
    TimeNs reference_ns = 0;                   ///< where on the file clock the offset holds exactly
    std::optional<DurationNs> uncertainty_ns;  ///< nothing where unknown
    std::uint32_t matches = 0;                 ///< collectives that the fit stands on
    ClockMethod method = ClockMethod::FileTimes;

    [[nodiscard]] TimeNs toRun(TimeNs file_ns) const;
    [[nodiscard]] TimeNs toFile(TimeNs run_ns) const;
    [[nodiscard]] TimeSpan toRun(const TimeSpan& s) const { return {toRun(s.start_ns), toRun(s.end_ns)}; }
};

/// One clock for all ranks of a run.
struct RunClock {
    std::vector<RankClock> ranks;  ///< as Run::ranks
    TimeNs base_ns = 0;            ///< the run's first instant: reports and rulers count from here
};

/// What the user decides about the clocks.
struct ClockOptions {
    bool file_times = false;  ///< keep the files' own times: nothing is fitted
    /// By rank (index in Run::ranks): offsets that the user typed. Missing entries and nothing: fit.
    std::vector<std::optional<DurationNs>> typed_offset_ns;
};

/// One clock for all ranks (design 4.6). Ranks of one host share a clock; the others' offsets, and their drifts once
/// `matches` span long enough, are fitted on the ends of these.
[[nodiscard]] RunClock alignClocks(const Run& run, const std::vector<ClockMatch>& matches = {},
                                   const ClockOptions& options = {});

[[nodiscard]] std::string_view clockMethodName(ClockMethod method);

}  // namespace rankscope
