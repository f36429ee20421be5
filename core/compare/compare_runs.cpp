// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/compare_runs.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/format.h"
#include "core/trace/forecast_mark.h"

namespace rankscope {
namespace {

std::string changeText(DurationNs ns) {
    return formatDuration(std::abs(ns)) + (ns < 0 ? " less" : " more");
}

/// "43.9 to 57.9 ms less", or "1.20 ms less to 3.40 ms more" on both sides of zero.
std::string rangeText(const NsInterval& range) {
    if (range.low < 0 && range.high > 0) {
        return changeText(range.low) + " to " + changeText(range.high);
    }
    const bool less = range.high <= 0;
    return formatDuration(less ? -range.high : range.low) + " to " + changeText(less ? range.low : range.high);
}

std::string signedPercent(double share) {
    return (share > 0 ? "+" : "") + formatPercent(share);
}

std::string headOf(const StepAnswer& answer) {
    switch (answer.verdict) {
        case StepVerdict::Faster: return "Faster";
        case StepVerdict::Slower: return "Slower";
        case StepVerdict::DifferenceOfRecordings: return answer.forecast ? "Forecast" : "Difference of recordings";
        case StepVerdict::NoDifferenceSeen: return "No difference that matters";
        case StepVerdict::CannotJudge: return "Cannot judge";
    }
    return "Cannot judge";
}

std::string stepsText(const StepAnswer& answer) {
    std::string out =
        (answer.knowsReruns() ? "a step takes " : "the median step takes ") + changeText(answer.difference_ns);
    if (answer.share) {
        out += " (" + signedPercent(*answer.share) + ")";
    }
    return fmt::format("{}, {} against {}.", out, formatDuration(answer.b_ns), formatDuration(answer.a_ns));
}

std::string fromText(const RunComparison& comparison) {
    const StepAnswer& answer = comparison.answer;
    return answer.knowsReruns()
               ? fmt::format("from {} and {} recordings", answer.a_recordings, answer.b_recordings)
               : fmt::format("from {} and {} steps", comparison.step.a.samples, comparison.step.b.samples);
}

std::string intervalText(const RunComparison& comparison) {
    const StepAnswer& answer = comparison.answer;
    if (!answer.interval_ns) {
        return {};
    }
    std::string out = " 95 %: " + rangeText(*answer.interval_ns);
    if (answer.share_interval) {
        // In the order of the range text: the smaller change first.
        const bool less = answer.interval_ns->high <= 0;
        out +=
            fmt::format(" ({} to {})", signedPercent(less ? answer.share_interval->high : answer.share_interval->low),
                        signedPercent(less ? answer.share_interval->low : answer.share_interval->high));
    }
    // The same range as steps of B, so that readers need not subtract from A's step.
    out += fmt::format(", so {} to {}", formatDuration(answer.a_ns + answer.interval_ns->low),
                       formatDuration(answer.a_ns + answer.interval_ns->high));
    return fmt::format("{}, {}.", out, fromText(comparison));
}

std::string preventedText(const RunComparison& comparison) {
    std::string out = "Cannot judge:";
    for (const ConfigDifference& one : comparison.differs) {
        if (one.impact == Impact::Prevents) {
            out += fmt::format(" {} against {}. {}", one.a, one.b, one.what);
        }
    }
    return out;
}

/// What to record to get an answer.
std::string doubtText(const RunComparison& comparison) {
    const StepAnswer& answer = comparison.answer;
    std::string out = fmt::format(" This may be chance, or it may be more than the {} of a step that matters.",
                                  formatPercent(answer.matters));
    if (answer.recordings_needed) {
        out += fmt::format(" About {} recordings of each side would show such a difference with 80 % probability.",
                           *answer.recordings_needed);
    } else if (comparison.step.steps_needed) {
        out += fmt::format(" About {} steps of each run would show a difference of {} with 80 % probability.",
                           *comparison.step.steps_needed, formatPercent(kWorthSeeing));
    }
    return out;
}

/// Compares the two recordings that are shown: all but the sides and the answer.
void compareShown(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read, RunComparison& out) {
    out.differs = whatDiffers(a, b, read);
    out.shared_kernels = sharedKernels(a, b);
    out.a_samples = sampleSteps(a.facts);
    out.b_samples = sampleSteps(b.facts);
    out.step = differenceOf(out.a_samples.durations_ns, out.b_samples.durations_ns);
    out.breakdown = breakDown(a.facts, b.facts);
    out.findings = pairFindings(a, b, out.breakdown);
    out.kernels = pairKernels(a, b);
    out.operators = pairOperators(a, b);
    out.collectives = pairCollectives(a, b);
    RankMatches matches = matchRanks(a, b);
    out.ranks = pairRanks(a, b, matches);
    out.ranks_by_place = matches.by_place;
    out.rank_notes = std::move(matches.notes);
    out.throughput = compareThroughput(a.facts, b.facts);
}

}  // namespace

bool isPrevented(const RunComparison& comparison) {
    return std::ranges::any_of(comparison.differs,
                               [](const ConfigDifference& one) { return one.impact == Impact::Prevents; });
}

RunComparison compareSides(const SideRuns& a, const SideRuns& b, double matters, const EventReader& read) {
    RunComparison out;
    out.a_side = sideOf(a);
    out.b_side = sideOf(b);
    compareShown(*a[out.a_side.shown], *b[out.b_side.shown], read, out);
    out.answer = answerOf(out.a_side.recordings, out.b_side.recordings, out.step, matters);
    out.answer.forecast = isForecast(*a[out.a_side.shown]->run) || isForecast(*b[out.b_side.shown]->run);
    if (isPrevented(out)) {
        out.answer.verdict = StepVerdict::CannotJudge;
    }
    return out;
}

RunComparison compareRuns(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read) {
    return compareSides({&a}, {&b}, kMatters, read);
}

std::string comparisonHeadline(const RunComparison& comparison) {
    const StepAnswer& answer = comparison.answer;
    if (isPrevented(comparison)) {
        return "Cannot judge: the steps of these runs are not comparable";
    }
    if (answer.verdict == StepVerdict::NoDifferenceSeen) {
        return fmt::format("{}: less than {} either way", headOf(answer), formatPercent(answer.matters));
    }
    if (answer.verdict != StepVerdict::CannotJudge) {
        return fmt::format("{}: a step takes {}{}", headOf(answer), changeText(answer.difference_ns),
                           answer.share ? " (" + signedPercent(*answer.share) + ")" : "");
    }
    return answer.interval_ns ? "Cannot judge: a step takes " + rangeText(*answer.interval_ns)
                              : "Cannot judge: too few steps";
}

std::string comparisonVerdict(const RunComparison& comparison) {
    const StepAnswer& answer = comparison.answer;
    const bool known = answer.a_ns > 0 && answer.b_ns > 0;
    std::string numbers = known ? stepsText(answer) : std::string();
    if (isPrevented(comparison)) {
        numbers = numbers.empty() ? numbers : " As measured, " + numbers;
        return preventedText(comparison) + numbers;
    }
    std::string out = headOf(answer) + ": " + numbers + intervalText(comparison);
    if (answer.verdict == StepVerdict::CannotJudge) {
        out += doubtText(comparison);
    }
    if (!answer.knowsReruns() && answer.verdict != StepVerdict::NoDifferenceSeen) {
        out += " " + std::string(answer.doubt());
    }
    return out;
}

bool isRegression(const RunComparison& comparison, double percent) {
    const StepAnswer& answer = comparison.answer;
    const double limit = percent / 100;
    switch (answer.verdict) {
        case StepVerdict::Slower: return answer.share_interval->low > limit;
        case StepVerdict::DifferenceOfRecordings: return answer.share_interval->low > std::max(limit, kRerunsApart);
        case StepVerdict::Faster:
        case StepVerdict::NoDifferenceSeen:
        case StepVerdict::CannotJudge: break;
    }
    return false;
}

std::string unseenRegression(const RunComparison& comparison, double percent) {
    const StepAnswer& answer = comparison.answer;
    const double limit = std::max(percent / 100, answer.matters);
    if (isRegression(comparison, percent) || isPrevented(comparison) || !answer.share_interval ||
        answer.share_interval->high <= limit) {
        return {};
    }
    const std::string range = rangeText(*answer.interval_ns);
    if (!answer.knowsReruns()) {
        return fmt::format(
            "not judged: a step takes {}. {} Give {} or more recordings of each side: compare A1 A2 A3 "
            "--against B1 B2 B3",
            range, answer.doubt(), kFewestRecordings);
    }
    return fmt::format(
        "cannot rule out a regression: a step takes {}. About {} recordings of each side would be "
        "enough to see {}",
        range,
        std::max(recordingsNeeded(*answer.spread, limit), std::min(answer.a_recordings, answer.b_recordings) + 1),
        formatPercent(limit));
}

}  // namespace rankscope
