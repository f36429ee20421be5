// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/recordings.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/student.h"
#include "core/compare/fewest.h"

namespace rankscope {
namespace {

/// The logarithms of the step times of a side's recordings that count.
struct SideLevels {
    std::vector<double> logs;
    double mean = 0;
    double squares = 0;  ///< sum of squared distances from the mean
    double within = 0;   ///< sum of the squared relative standard errors
};

SideLevels levelsOf(std::span<const Recording> recordings) {
    SideLevels side;
    for (const Recording& one : recordings) {
        if (one.counts() && one.step.middle_ns > 0) {
            const auto step_ns = static_cast<double>(one.step.middle_ns);
            side.logs.push_back(std::log(step_ns));
            side.within += std::pow(one.step.standard_error_ns / step_ns, 2);
        }
    }
    for (const double log : side.logs) {
        side.mean += log / static_cast<double>(side.logs.size());
    }
    for (const double log : side.logs) {
        side.squares += std::pow(log - side.mean, 2);
    }
    return side;
}

RerunSpread spreadOf(const SideLevels& a, const SideLevels& b) {
    const std::size_t all = a.logs.size() + b.logs.size();
    RerunSpread spread;
    spread.freedom = all - 2;
    spread.within = std::sqrt((a.within + b.within) / static_cast<double>(all));
    // By chance, recordings may be closer to each other than the steps in them allow.
    spread.share = std::max(spread.within, std::sqrt((a.squares + b.squares) / static_cast<double>(spread.freedom)));
    return spread;
}

void judgeBySides(const SideLevels& a, const SideLevels& b, StepAnswer& out) {
    out.a_ns = std::llround(std::exp(a.mean));
    out.b_ns = std::llround(std::exp(b.mean));
    out.spread = spreadOf(a, b);
    const double t = studentCritical(1 - kConfidence, static_cast<double>(out.spread->freedom));
    const double half = t * out.spread->share *
                        std::sqrt(1 / static_cast<double>(a.logs.size()) + 1 / static_cast<double>(b.logs.size()));
    const double middle = b.mean - a.mean;
    out.difference_ns = out.b_ns - out.a_ns;
    out.share = std::expm1(middle);
    out.share_interval = ShareInterval{std::expm1(middle - half), std::expm1(middle + half)};
    const auto a_ns = static_cast<double>(out.a_ns);
    out.interval_ns =
        NsInterval{std::min(out.difference_ns, static_cast<DurationNs>(std::floor(a_ns * out.share_interval->low))),
                   std::max(out.difference_ns, static_cast<DurationNs>(std::ceil(a_ns * out.share_interval->high)))};
}

void judgeBySteps(const StepDifference& steps, StepAnswer& out) {
    out.a_ns = steps.a.median_ns;
    out.b_ns = steps.b.median_ns;
    out.difference_ns = steps.difference_ns;
    out.share = steps.share;
    out.interval_ns = steps.interval_ns;
    out.share_interval = steps.share_interval;
}

StepVerdict verdictOf(const StepAnswer& answer) {
    if (!answer.interval_ns || !answer.share || !answer.share_interval) {
        return StepVerdict::CannotJudge;
    }
    const ShareInterval& share = *answer.share_interval;
    if (share.low > -answer.matters && share.high < answer.matters) {
        return StepVerdict::NoDifferenceSeen;
    }
    const bool less = answer.interval_ns->high < 0;
    const bool more = answer.interval_ns->low > 0;
    if ((!less && !more) || std::abs(*answer.share) < answer.matters) {
        return StepVerdict::CannotJudge;
    }
    return !answer.knowsReruns() ? StepVerdict::DifferenceOfRecordings
           : less                ? StepVerdict::Faster
                                 : StepVerdict::Slower;
}

}  // namespace

StepAnswer answerOf(std::span<const Recording> a, std::span<const Recording> b, const StepDifference& steps,
                    double matters) {
    const SideLevels of_a = levelsOf(a);
    const SideLevels of_b = levelsOf(b);
    StepAnswer out;
    out.matters = matters;
    out.a_recordings = of_a.logs.size();
    out.b_recordings = of_b.logs.size();
    const bool both = out.a_recordings > 0 && out.b_recordings > 0;
    if (both && out.a_recordings + out.b_recordings > 2) {
        judgeBySides(of_a, of_b, out);
    } else {
        judgeBySteps(steps, out);
    }
    out.verdict = verdictOf(out);
    if (out.verdict == StepVerdict::CannotJudge && out.spread) {
        // At least one more than were recorded: those were not enough.
        out.recordings_needed =
            std::max(recordingsNeeded(*out.spread, matters), std::min(out.a_recordings, out.b_recordings) + 1);
    }
    return out;
}

std::size_t recordingsNeeded(const RerunSpread& spread, double share) {
    return fewestThat(kFewestRecordings, [&](std::size_t each) {
        const auto count = static_cast<double>(each);
        const double t = studentCritical(1 - kConfidence, 2 * (count - 1));
        return (t + kFourOfFive) * spread.share * std::sqrt(2 / count) <= std::log1p(share);
    });
}

}  // namespace rankscope
