// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/difference.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>

#include "core/base/statistics.h"
#include "core/base/student.h"
#include "core/compare/fewest.h"

namespace rankscope {
namespace {

/// Old files have whole microseconds: each end of a step may be off by half a microsecond.
constexpr double kResolutionNs = 1'000;

double square(double value) {
    return value * value;
}

/// The incomplete beta function without exceptions: it returns NaN on error.
using BoostPolicy =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

void putMeanAndVariance(const std::vector<DurationNs>& samples_ns, StepCentre& centre) {
    const auto count = static_cast<double>(samples_ns.size());
    for (const DurationNs sample : samples_ns) {
        centre.mean_ns += static_cast<double>(sample) / count;
    }
    for (const DurationNs sample : samples_ns) {
        centre.variance_ns2 += square(static_cast<double>(sample) - centre.mean_ns) / (count - 1);
    }
}

/// The bootstrap variance of the median. The k-th smallest of n samples is the median of a resample with probability
/// I(k/n) - I((k-1)/n). I is the regularized incomplete beta function with both parameters (n+1)/2.
double bootstrapVariance(const std::vector<DurationNs>& sorted) {
    const auto count = static_cast<double>(sorted.size());
    const double shape = (count + 1) / 2;
    const DurationNs middle = midMedian(sorted);  // any value works; this one keeps the squares small
    double first = 0;
    double second = 0;
    double below = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        const double up_to = boost::math::ibeta(shape, shape, static_cast<double>(k + 1) / count, BoostPolicy());
        const auto away = static_cast<double>(sorted[k] - middle);
        first += (up_to - below) * away;
        second += (up_to - below) * square(away);
        below = up_to;
    }
    return std::max(0.0, second - square(first));
}

std::optional<double> neighboursOf(const std::vector<DurationNs>& samples_ns, double mean_ns) {
    if (samples_ns.size() < kFewestForNeighbours) {
        return std::nullopt;
    }
    double all = 0;
    double together = 0;
    for (std::size_t i = 0; i < samples_ns.size(); ++i) {
        const double away = static_cast<double>(samples_ns[i]) - mean_ns;
        all += square(away);
        together += i == 0 ? 0 : away * (static_cast<double>(samples_ns[i - 1]) - mean_ns);
    }
    return all > 0 ? together / all : 0;
}

/// How much the variance of a median grows because neighbouring steps are alike.
double widening(const StepCentre& centre) {
    constexpr double kMost = 0.9;
    const double alike = std::clamp(centre.neighbours.value_or(0), 0.0, kMost);
    return (1 + alike) / (1 - alike);
}

/// Welch's degrees of freedom for the sum of two estimates.
double welchDf(double variance_a, std::size_t a, double variance_b, std::size_t b) {
    return square(variance_a + variance_b) /
           (square(variance_a) / static_cast<double>(a - 1) + square(variance_b) / static_cast<double>(b - 1));
}

std::optional<MeanTest> testMeans(const StepCentre& a, const StepCentre& b) {
    const double pooled_variance = a.variance_ns2 + b.variance_ns2;
    if (a.samples < 2 || b.samples < 2 || pooled_variance <= 0) {
        return std::nullopt;
    }
    const auto count_a = static_cast<double>(a.samples);
    const auto count_b = static_cast<double>(b.samples);
    const double error_a = a.variance_ns2 / count_a;
    const double error_b = b.variance_ns2 / count_b;
    MeanTest test;
    test.t = (b.mean_ns - a.mean_ns) / std::sqrt(error_a + error_b);
    test.df = welchDf(error_a, a.samples, error_b, b.samples);
    test.p = studentTwoSided(test.t, test.df);
    const double all = count_a + count_b - 2;
    const double deviation = std::sqrt(((count_a - 1) * a.variance_ns2 + (count_b - 1) * b.variance_ns2) / all);
    test.hedges_g = (b.mean_ns - a.mean_ns) / deviation * (1 - 3 / (4 * all - 1));
    return test;
}

/// Fieller's limits of b / a - 1, at `t` standard errors.
std::optional<ShareInterval> shareLimits(const StepCentre& a, const StepCentre& b, double t) {
    const auto median_a = static_cast<double>(a.middle_ns);
    const auto median_b = static_cast<double>(b.middle_ns);
    const double sure_a = square(median_a) - square(t * a.standard_error_ns);
    const double sure_b = square(median_b) - square(t * b.standard_error_ns);
    if (median_a <= 0 || sure_a <= 0) {
        return std::nullopt;
    }
    const double root = std::sqrt(std::max(0.0, square(median_a * median_b) - sure_a * sure_b));
    return ShareInterval{(median_a * median_b - root) / sure_a - 1, (median_a * median_b + root) / sure_a - 1};
}

std::size_t stepsNeeded(const StepCentre& a, const StepCentre& b) {
    const double wanted_ns = kWorthSeeing * static_cast<double>(a.median_ns);
    const double one_each = std::sqrt(square(a.standard_error_ns) * static_cast<double>(a.samples) +
                                      square(b.standard_error_ns) * static_cast<double>(b.samples));
    const std::size_t enough = fewestThat(kFewestSteps, [&](std::size_t steps) {
        const double t = studentCritical(1 - kConfidence, 2 * static_cast<double>(steps - 1));
        return (t + kFourOfFive) * one_each / std::sqrt(static_cast<double>(steps)) <= wanted_ns;
    });
    // At least one more than were recorded: those were not enough.
    return std::max(enough, std::min(a.samples, b.samples) + 1);
}

/// The interval of the medians, from their standard errors. It contains the difference that is shown with it.
void judgeByMedians(StepDifference& out) {
    const double variance_a = square(out.a.standard_error_ns);
    const double variance_b = square(out.b.standard_error_ns);
    const double df = welchDf(variance_a, out.a.samples, variance_b, out.b.samples);
    const double t = studentCritical(1 - kConfidence, df);
    const double half = t * std::sqrt(variance_a + variance_b);
    const auto middle = static_cast<double>(out.b.middle_ns - out.a.middle_ns);
    out.interval_ns = NsInterval{std::min(out.difference_ns, static_cast<DurationNs>(std::floor(middle - half))),
                                 std::max(out.difference_ns, static_cast<DurationNs>(std::ceil(middle + half)))};
    out.share_interval = shareLimits(out.a, out.b, t);
    if (out.share_interval && out.share) {
        out.share_interval->low = std::min(out.share_interval->low, *out.share);
        out.share_interval->high = std::max(out.share_interval->high, *out.share);
    }
}

/// The interval of the shift, by ranks. It is extended to contain the difference of the medians, which is shown with
/// it. A difference below the file's time resolution is none.
void judgeByRanks(const RankTest& test, StepDifference& out) {
    const auto resolution_ns = static_cast<DurationNs>(kResolutionNs);
    out.ranks = test;
    out.interval_ns = NsInterval{std::min(test.interval_ns.low, out.difference_ns) - resolution_ns,
                                 std::max(test.interval_ns.high, out.difference_ns) + resolution_ns};
    if (test.share_interval && out.share) {
        const double resolution = kResolutionNs / static_cast<double>(out.a.median_ns);
        out.share_interval = ShareInterval{std::min(test.share_interval->low, *out.share) - resolution,
                                           std::max(test.share_interval->high, *out.share) + resolution};
    }
}

StepVerdict verdictOf(const StepDifference& difference) {
    const NsInterval& interval = *difference.interval_ns;
    if (interval.high < 0) {
        return StepVerdict::Faster;
    }
    if (interval.low > 0) {
        return StepVerdict::Slower;
    }
    const std::optional<ShareInterval>& share = difference.share_interval;
    const bool narrow = share && share->low > -kWorthSeeing && share->high < kWorthSeeing;
    return narrow ? StepVerdict::NoDifferenceSeen : StepVerdict::CannotJudge;
}

}  // namespace

std::string_view stepVerdictName(StepVerdict verdict) {
    switch (verdict) {
        case StepVerdict::Faster: return "faster";
        case StepVerdict::Slower: return "slower";
        case StepVerdict::DifferenceOfRecordings: return "difference-of-recordings";
        case StepVerdict::NoDifferenceSeen: return "no-difference-seen";
        case StepVerdict::CannotJudge: return "cannot-judge";
    }
    return "cannot-judge";
}

StepCentre centreOf(const std::vector<DurationNs>& samples_ns) {
    StepCentre centre;
    centre.samples = samples_ns.size();
    if (samples_ns.empty()) {
        return centre;
    }
    std::vector<DurationNs> sorted = samples_ns;
    std::ranges::sort(sorted);
    centre.median_ns = lowerMedian(sorted);
    centre.middle_ns = midMedian(sorted);
    if (samples_ns.size() < 2) {
        centre.mean_ns = static_cast<double>(samples_ns.front());
        return centre;
    }
    putMeanAndVariance(samples_ns, centre);
    centre.neighbours = neighboursOf(samples_ns, centre.mean_ns);
    const double unread = square(kResolutionNs) / 6 / static_cast<double>(samples_ns.size());
    centre.standard_error_ns = std::sqrt(std::max(unread, bootstrapVariance(sorted) * widening(centre)));
    return centre;
}

StepDifference differenceOf(const std::vector<DurationNs>& a_ns, const std::vector<DurationNs>& b_ns) {
    StepDifference out;
    out.a = centreOf(a_ns);
    out.b = centreOf(b_ns);
    if (a_ns.empty() || b_ns.empty()) {
        return out;
    }
    out.difference_ns = out.b.median_ns - out.a.median_ns;
    if (out.a.median_ns > 0) {
        out.share = static_cast<double>(out.difference_ns) / static_cast<double>(out.a.median_ns);
    }
    out.means = testMeans(out.a, out.b);
    const std::size_t fewer = std::min(out.a.samples, out.b.samples);
    if (fewer < kFewestSteps) {
        return out;
    }
    // A few steps do not determine the error of their median. A rank test needs no such estimate.
    const std::optional<RankTest> ranks =
        fewer < kFewestForNeighbours ? testRanks(a_ns, b_ns, kConfidence) : std::nullopt;
    if (ranks) {
        judgeByRanks(*ranks, out);
    } else {
        judgeByMedians(out);
    }
    out.verdict = verdictOf(out);
    if (out.verdict == StepVerdict::CannotJudge) {
        out.steps_needed = stepsNeeded(out.a, out.b);
    }
    return out;
}

}  // namespace rankscope
