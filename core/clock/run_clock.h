// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/trace/run.h"

namespace rankscope {

/// A moment that several ranks share, each on its own file clock: the data on which clocks are fitted (design 4.6).
struct ClockMatch {
    struct Member {
        RankPosition rank;
        TimeSpan span;  ///< on the rank's file clock
    };
    std::vector<Member> members;  ///< two or more, by rank
    /// One collective that all its members finish together. If false, they wait for one another in another way: a send
    /// and its receive, or a kernel that exchanges with all others. Their ends may then be far apart, and are used only
    /// if nothing better connects the ranks (core/clock/bridge_clocks.h).
    bool ends_together = true;
};

/// How a rank's clock was converted to the run's.
enum class ClockMethod : std::uint8_t {
    FileTimes,   ///< the file's own times, untouched: the reference itself, nothing to fit, or the user asked for it
    SharedHost,  ///< the same host as the reference rank, hence the same clock
    OneClock,    ///< the host is unknown, and the fit is consistent with the reference's clock: untouched
    Fitted,      ///< offset (and drift) fitted on the ends of matched collectives
    Typed,       ///< the user entered the offset
};

/// Converts one rank's file times to the run's clock: run = file + offset + drift x (file - reference).
struct RankClock {
    DurationNs offset_ns = 0;
    double drift_ppm = 0.0;
    FileTime reference_ns;  ///< the instant at which the offset is exact
    /// The rank whose file times are the run's clock for this one; itself if its own are. Rank 0 for all ranks that
    /// matches or a shared host connect with it, else the lowest connected rank.
    RankPosition reference;
    std::uint32_t domain = 0;  ///< ranks with the same number share one clock
    /// How much it may differ from the reference's clock anywhere in its window, in 99 of 100 cases; nothing if
    /// unknown.
    std::optional<DurationNs> uncertainty_ns;
    /// The island of a bridged clock: ranks with the same number are connected by something better than the bridge, and
    /// between them `in_island_ns` applies instead of `uncertainty_ns`.
    std::optional<std::uint32_t> island;
    DurationNs in_island_ns = 0;
    std::uint32_t matches = 0;  ///< collectives that the fit is based on
    ClockMethod method = ClockMethod::FileTimes;

    /// The instant of the run's clock, in nanoseconds, for an instant of this rank's file. Exact without drift; with
    /// drift rounded to the nearest nanosecond.
    [[nodiscard]] RunTime toRun(FileTime file_ns) const;
    /// The instant of this rank's file, in nanoseconds, for an instant of the run's clock: the inverse of toRun(), with
    /// drift to within a nanosecond of rounding.
    [[nodiscard]] FileTime toFile(RunTime run_ns) const;
    /// A span of this rank's file on the run's clock. Both ends are converted, so drift changes its length.
    [[nodiscard]] RunSpan toRun(const FileSpan& span) const;
    /// The inverse of that.
    [[nodiscard]] FileSpan toFile(const RunSpan& span) const;
};

/// One clock for all ranks of a run.
struct RunClock {
    std::vector<RankClock> ranks;  ///< parallel to Run::ranks
    RunTime base_ns;               ///< the run's first instant, or ClockOptions::base_ns: reports count from here
    /// Whether the ends of collectives are consistent with one clock for all ranks; nothing without collectives.
    std::optional<bool> one_clock;
    std::vector<std::string> notes;  ///< sentences for people: what the fit shows, and what it cannot

    /// How much the times of two ranks may differ from each other; nothing if unknown.
    [[nodiscard]] std::optional<DurationNs> uncertaintyBetween(RankPosition a, RankPosition b) const;
};

/// The remaining uncertainty between ranks that share a clock: each process converts device times to it by itself.
constexpr DurationNs kSharedClockNs = 1'000;

/// What the user decides about the clocks.
struct ClockOptions {
    bool file_times = false;  ///< keep the files' own times: nothing is fitted
    /// By rank, as Run::ranks: offsets that the user entered. Missing entries and nothing: fit.
    std::vector<std::optional<DurationNs>> typed_offset_ns;
    /// The time from which reports and rulers count, so that a part of a run has the same times as the whole; nothing:
    /// the run's first instant.
    std::optional<RunTime> base_ns = {};
};

/// One clock for all ranks (design 4.6). Ranks of one host share a clock; the others' offsets, and their drifts once
/// `matches` span long enough to resolve them, are fitted on the ends of these (core/clock/fit_clocks.h says how).
[[nodiscard]] RunClock alignClocks(const Run& run, const std::vector<ClockMatch>& matches = {},
                                   const ClockOptions& options = {});

/// The method as in the JSON report: "file-times", "shared-host", "one-clock", "fitted" or "typed".
[[nodiscard]] std::string_view clockMethodName(ClockMethod method);

}  // namespace rankscope
