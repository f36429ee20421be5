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

/// What step times say.
enum class StepVerdict : std::uint8_t {
    Faster,                  ///< B takes less: the interval is below zero
    Slower,                  ///< B takes more: the interval is above zero
    DifferenceOfRecordings,  ///< either, with one recording of each side: a re-run alone can do this
    NoDifferenceSeen,        ///< the interval contains nothing as large as what is worth seeing
    CannotJudge,             ///< too few steps, or the interval contains zero and differences worth seeing too
};
[[nodiscard]] std::string_view stepVerdictName(StepVerdict verdict);  ///< as in the JSON: "no-difference-seen"

/// The confidence: in 95 of 100 pairs of runs without a difference the interval contains zero.
inline constexpr double kConfidence = 0.95;
/// A share of A's median step that a user wants to hear of: a finding of that size is of medium severity.
inline constexpr double kWorthSeeing = 0.05;
/// Fewer samples of a run say nothing about its spread.
inline constexpr std::size_t kFewestSteps = 3;
/// From this many samples on it is seen whether neighbours resemble each other.
inline constexpr std::size_t kFewestForNeighbours = 8;

/// The step time of one run, from its samples.
struct StepCentre {
    std::size_t samples = 0;
    DurationNs median_ns = 0;  ///< the lowerMedian, as everywhere; 0 of none
    DurationNs middle_ns = 0;  ///< the midMedian, which an even number of samples does not make shorter; 0 of none
    double mean_ns = 0;
    double variance_ns2 = 0;       ///< squares over samples - 1; 0 of fewer than two
    double standard_error_ns = 0;  ///< of the median, widened for neighbours; 0 of fewer than two
    /// How alike neighbouring steps are: the correlation at lag 1, -1 to 1; nothing below kFewestForNeighbours.
    std::optional<double> neighbours;
};

/// `samples_ns` in the order of the run. The standard error of the median is Maritz and Jarrett's (Biometrika 65, 1978,
/// p. 194): that of Efron's bootstrap over the steps, worked out exactly instead of drawn by chance. Where neighbours
/// are alike by r > 0, it is widened by sqrt((1 + r) / (1 - r)), as for a series of first order. It is at least what a
/// microsecond, the resolution of old files, leaves unknown.
[[nodiscard]] StepCentre centreOf(const std::vector<DurationNs>& samples_ns);

/// Welch's t-test of the means, and Hedges' g.
struct MeanTest {
    double t = 0;
    double df = 0;
    double p = 1;         ///< both sides
    double hedges_g = 0;  ///< difference of means over the pooled standard deviation, corrected for few samples
};

/// B against A. Positive: B takes longer.
struct StepDifference {
    StepCentre a;
    StepCentre b;
    DurationNs difference_ns = 0;  ///< of the medians: b - a; 0 if either has no sample
    /// The range of the difference, rounded outward, with `difference_ns` in it. With few steps (below
    /// kFewestForNeighbours of a run, where ranks can tell) that of `ranks` and a microsecond more; else the difference
    /// of `middle_ns` +- t x sqrt(se_a^2 + se_b^2), with Welch's degrees of freedom. Nothing with fewer than
    /// kFewestSteps samples of a run.
    std::optional<NsInterval> interval_ns;
    std::optional<RankTest> ranks;  ///< where the interval is theirs
    std::optional<double> share;    ///< difference over A's median; nothing if that is 0
    /// Of the true share, with the uncertainty of A in it: by ranks that of the ratio, else Fieller's (J. R. Statist.
    /// Soc. B 16, 1954). It contains zero if interval_ns does. Nothing if A's median may be zero.
    std::optional<ShareInterval> share_interval;
    std::optional<MeanTest> means;  ///< nothing with fewer than two samples of a run, or if none of them differ
    StepVerdict verdict = StepVerdict::CannotJudge;
    /// Where it cannot be judged: how many steps of each run would show a difference of kWorthSeeing in four of five
    /// cases, if they are spread like these; at least kFewestSteps. Nothing if the spread of a run is not known.
    std::optional<std::size_t> steps_needed;
};

/// Judges whether the steps of recording B take longer than those of A, whatever made them (answerOf() in recordings.h
/// says what that means for the program; kWorthSeeing is what is worth seeing here), from the durations of their
/// samples in nanoseconds, in the order of the run (neighbouring steps may be alike, which widens the interval). All
/// but the two centres is left out where a run has no samples, and the interval where one has fewer than kFewestSteps:
/// the verdict is then CannotJudge. O(n log n) in samples.
[[nodiscard]] StepDifference differenceOf(const std::vector<DurationNs>& a_ns, const std::vector<DurationNs>& b_ns);

}  // namespace rankscope
