// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/compare/difference.h"

namespace rankscope {

/// The smallest share of A's step that matters, if the user does not say.
inline constexpr double kMatters = 0.01;
/// With fewer recordings of each side, little is known of what a re-run changes.
inline constexpr std::size_t kFewestRecordings = 3;
/// Some GPUs were measured up to 1.5 times slower than the median GPU of their cluster, of the same type (Sinha et al.,
/// "Not All GPUs Are Created Equal", SC 2022). A step that is longer still is more than a restart on another node does.
inline constexpr double kRerunsApart = 0.5;

/// What is said of an answer without re-runs.
inline constexpr std::string_view kOneRecordingEach = "One recording each: a re-run alone can do this.";

/// One recording of a side: one start of the job. Recordings are the unit of a comparison.
struct Recording {
    std::string name;
    StepCentre step;       ///< of its complete, steady-state steps
    std::string left_out;  ///< why it does not count; empty if it does
    [[nodiscard]] bool counts() const { return left_out.empty(); }
};

/// How far apart recordings of one side are.
struct RerunSpread {
    double share = 0;   ///< standard deviation of a recording's step over the step; at least `within`
    double within = 0;  ///< what the steps in a recording leave unknown of its median, the root of the mean square
    std::size_t freedom = 0;  ///< recordings less sides: 1 or more
};

/// What a comparison answers. B against A; positive: B takes longer.
struct StepAnswer {
    StepVerdict verdict = StepVerdict::CannotJudge;
    std::size_t a_recordings = 0;  ///< those that count
    std::size_t b_recordings = 0;
    DurationNs a_ns = 0;  ///< A's step: of several recordings the geometric mean of their medians; 0 of none
    DurationNs b_ns = 0;
    DurationNs difference_ns = 0;           ///< b_ns - a_ns; 0 if either is not known
    std::optional<double> share;            ///< of a_ns
    std::optional<NsInterval> interval_ns;  ///< with kConfidence; contains `difference_ns`
    std::optional<ShareInterval> share_interval;
    double matters = kMatters;                     ///< the smallest share that matters
    std::optional<RerunSpread> spread;             ///< where a side has several recordings
    std::optional<std::size_t> recordings_needed;  ///< of each side, where CannotJudge and the spread is known

    /// Whether a side has several recordings, so that what a re-run changes is in the interval.
    [[nodiscard]] bool knowsReruns() const { return spread.has_value(); }
};

/// Judges two sides by their recordings. With several on a side it is Student's t interval with a pooled variance, of
/// the logarithms of the recordings' medians: the means square of runs in a nested design, which has the spread of
/// steps in it (Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013). Both sides are taken to
/// spread alike, in per cent. With one recording on each side, it is `steps`, the difference of their steps, and no
/// side is faster. `matters` is above 0. O(n) in recordings.
[[nodiscard]] StepAnswer answerOf(std::span<const Recording> a, std::span<const Recording> b,
                                  const StepDifference& steps, double matters = kMatters);

/// How many recordings of each side would show a difference of `share` in four of five cases, if they are spread like
/// these; kFewestRecordings or more. `share` is above 0. O(log n) in the result, which is a million at most.
[[nodiscard]] std::size_t recordingsNeeded(const RerunSpread& spread, double share);

}  // namespace rankscope
