// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/compare/difference.h"

namespace rankscope {

/// The smallest share of A's step that matters, unless the user sets another.
inline constexpr double kMatters = 0.01;
/// With fewer recordings per side, the variation between re-runs is hardly known.
inline constexpr std::size_t kFewestRecordings = 3;
/// Some GPUs were measured up to 1.5 times slower than the median GPU of the same type in their cluster (Sinha et al.,
/// "Not All GPUs Are Created Equal", SC 2022). A restart on another node does not explain a step that is longer than
/// this.
inline constexpr double kRerunsApart = 0.5;

/// The note on an answer where a side is a forecast.
inline constexpr std::string_view kForecastSide =
    "A forecast repeats one recording: it does not show what a re-run changes.";
/// The note on any other answer without re-runs.
inline constexpr std::string_view kOneRecordingEach = "One recording each: a re-run alone can do this.";

/// One start of the job, as recorded. Recordings are the unit of a comparison.
struct Recording {
    std::string name;
    StepCentre step;       ///< of its complete, steady-state steps
    std::string left_out;  ///< why it does not count; empty if it does
    [[nodiscard]] bool counts() const { return left_out.empty(); }
};

/// How much the recordings of one side vary.
struct RerunSpread {
    double share = 0;         ///< standard deviation of a recording's step, as a share of the step; at least `within`
    double within = 0;        ///< uncertainty of a recording's median from the steps in it, root mean square
    std::size_t freedom = 0;  ///< recordings minus sides, 1 or more
};

/// The answer of a comparison, B against A. Positive: B takes longer.
struct StepAnswer {
    StepVerdict verdict = StepVerdict::CannotJudge;
    std::size_t a_recordings = 0;  ///< those that count
    std::size_t b_recordings = 0;
    DurationNs a_ns = 0;  ///< A's step: the geometric mean of the recordings' medians; 0 without recordings
    DurationNs b_ns = 0;
    DurationNs difference_ns = 0;           ///< b_ns - a_ns; 0 if either is unknown
    std::optional<double> share;            ///< difference_ns / a_ns
    std::optional<NsInterval> interval_ns;  ///< at kConfidence; contains `difference_ns`
    std::optional<ShareInterval> share_interval;
    double matters = kMatters;                     ///< the smallest share that matters
    std::optional<RerunSpread> spread;             ///< if a side has several recordings
    std::optional<std::size_t> recordings_needed;  ///< per side, if CannotJudge and the spread is known
    bool forecast = false;                         ///< a side is a forecast (core/trace/forecast_mark.h)

    /// Whether a side has several recordings, so that the interval includes the variation between re-runs.
    [[nodiscard]] bool knowsReruns() const { return spread.has_value(); }
    /// What the answer cannot show, if it does not know re-runs.
    [[nodiscard]] std::string_view doubt() const { return forecast ? kForecastSide : kOneRecordingEach; }
};

/// Judges two sides by their recordings. With several recordings on a side: Student's t interval with pooled variance,
/// over the logarithms of the recordings' medians. This is the mean square between runs in a nested design, so it
/// includes the spread of steps (Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013). It assumes
/// that both sides vary by the same percentage. With one recording per side: `steps`, the difference of their steps,
/// and neither side is called faster. `matters` is above 0. O(n) in recordings.
[[nodiscard]] StepAnswer answerOf(std::span<const Recording> a, std::span<const Recording> b,
                                  const StepDifference& steps, double matters = kMatters);

/// How many recordings per side would show a difference of `share` in 4 of 5 cases, with the same spread. At least
/// kFewestRecordings, at most a million. `share` is above 0. O(log n) in the result.
[[nodiscard]] std::size_t recordingsNeeded(const RerunSpread& spread, double share);

}  // namespace rankscope
