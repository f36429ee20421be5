// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/compare/rank_test.h"

namespace rankscope {

/// What the step times of two recordings show.
enum class StepVerdict : std::uint8_t {
    Faster,                  ///< B is shorter: the interval is below zero
    Slower,                  ///< B is longer: the interval is above zero
    DifferenceOfRecordings,  ///< shorter or longer, but one recording per side: a re-run alone can cause this
    NoDifferenceSeen,        ///< the interval contains no difference worth seeing
    CannotJudge,             ///< too few steps, or the interval contains both zero and a difference worth seeing
};
[[nodiscard]] std::string_view stepVerdictName(StepVerdict verdict);  ///< as in the JSON: "no-difference-seen"

/// The confidence: for 95 of 100 pairs of runs without a difference, the interval contains zero.
inline constexpr double kConfidence = 0.95;
/// A difference of this share of A's median step is worth seeing: a finding of this size has medium severity.
inline constexpr double kWorthSeeing = 0.05;
/// Fewer samples per run do not show its spread.
inline constexpr std::size_t kFewestSteps = 3;
/// The correlation of neighbouring steps is measured from this many samples on.
inline constexpr std::size_t kFewestForNeighbours = 8;

/// The step time of one run, from its samples.
struct StepCentre {
    std::size_t samples = 0;
    DurationNs median_ns = 0;  ///< the lowerMedian; 0 without samples
    DurationNs middle_ns = 0;  ///< the midMedian, not biased low for an even number; 0 without samples
    double mean_ns = 0;
    double variance_ns2 = 0;       ///< sum of squares / (samples - 1); 0 with fewer than two
    double standard_error_ns = 0;  ///< of the median, widened for correlated neighbours; 0 with fewer than two
    /// The correlation of neighbouring steps (lag 1), -1 to 1; nothing below kFewestForNeighbours.
    std::optional<double> neighbours;
};

/// `samples_ns` are in the order of the run. The standard error of the median is Maritz and Jarrett's (Biometrika 65,
/// 1978, p. 194): Efron's bootstrap over the steps, computed exactly instead of sampled. If neighbours correlate with r
/// > 0, it is multiplied by sqrt((1 + r) / (1 - r)), as for a first-order series. It is never below the error from 1 us
/// timestamps, the resolution of old files.
[[nodiscard]] StepCentre centreOf(const std::vector<DurationNs>& samples_ns);

/// Welch's t-test of the means, and Hedges' g.
struct MeanTest {
    double t = 0;
    double df = 0;
    double p = 1;         ///< two-sided
    double hedges_g = 0;  ///< the difference of means over the pooled standard deviation, corrected for few samples
};

/// B against A. Positive: B takes longer.
struct StepDifference {
    StepCentre a;
    StepCentre b;
    DurationNs difference_ns = 0;  ///< difference of the medians, b - a; 0 if a run has no samples
    /// The 95 % interval of the difference, rounded outward; it contains `difference_ns`. With few steps (fewer than
    /// kFewestForNeighbours in a run, if the rank test works) it is the interval of `ranks`, widened by 1 us. Else it
    /// is the difference of `middle_ns` +- t x sqrt(se_a^2 + se_b^2), with Welch's degrees of freedom. Nothing if a run
    /// has fewer than kFewestSteps samples.
    std::optional<NsInterval> interval_ns;
    std::optional<RankTest> ranks;  ///< if the interval comes from them
    std::optional<double> share;    ///< difference / A's median; nothing if that is 0
    /// The interval of `share`, including the uncertainty of A: by ranks the interval of the ratio, else Fieller's (J.
    /// R. Statist. Soc. B 16, 1954). It contains zero if interval_ns does. Nothing if A's median may be zero.
    std::optional<ShareInterval> share_interval;
    std::optional<MeanTest> means;  ///< nothing with fewer than two samples in a run, or if all samples are equal
    StepVerdict verdict = StepVerdict::CannotJudge;
    /// If it cannot be judged: the steps per run that would show a difference of kWorthSeeing in 4 of 5 cases, with the
    /// same spread; at least kFewestSteps. Nothing if the spread of a run is unknown.
    std::optional<std::size_t> steps_needed;
};

/// Judges whether the steps of recording B take longer than those of A, for any reason. answerOf() in recordings.h says
/// what that means for the program. `a_ns` and `b_ns` are the step times in the order of the run: correlated neighbours
/// widen the interval. What is worth seeing is kWorthSeeing. If a run has no samples, only the centres are set. If one
/// has fewer than kFewestSteps, there is no interval, and the verdict is CannotJudge. O(n log n) in samples.
[[nodiscard]] StepDifference differenceOf(const std::vector<DurationNs>& a_ns, const std::vector<DurationNs>& b_ns);

}  // namespace rankscope
