// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/compare_runs.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/format.h"

namespace rankscope {
namespace {

bool isPrevented(const RunComparison& comparison) {
    return std::ranges::any_of(comparison.differs,
                               [](const ConfigDifference& one) { return one.impact == Impact::Prevents; });
}

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

std::string headOf(const StepDifference& step) {
    switch (step.verdict) {
        case StepVerdict::Faster: return "Faster";
        case StepVerdict::Slower: return "Slower";
        case StepVerdict::NoDifferenceSeen: return "No difference seen";
        case StepVerdict::CannotJudge: return "Cannot judge";
    }
    return "Cannot judge";
}

std::string mediansText(const StepDifference& step) {
    std::string out = "the median step takes " + changeText(step.difference_ns);
    if (step.share) {
        out += " (" + signedPercent(*step.share) + ")";
    }
    return fmt::format("{}, {} against {}.", out, formatDuration(step.b.median_ns), formatDuration(step.a.median_ns));
}

std::string intervalText(const StepDifference& step) {
    std::string out = " 95 %: " + rangeText(*step.interval_ns);
    if (step.share_interval) {
        // In the order of the times: from little to much.
        const bool less = step.interval_ns->high <= 0;
        out += fmt::format(" ({} to {})", signedPercent(less ? step.share_interval->high : step.share_interval->low),
                           signedPercent(less ? step.share_interval->low : step.share_interval->high));
    }
    // The same once more as steps of B, so that a reader who has A's step in mind need not subtract.
    out += fmt::format(", so {} to {}", formatDuration(step.a.median_ns + step.interval_ns->low),
                       formatDuration(step.a.median_ns + step.interval_ns->high));
    return fmt::format("{}, from {} and {} steps.", out, step.a.samples, step.b.samples);
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

}  // namespace

RunComparison compareRuns(const AnalysedRun& a, const AnalysedRun& b, const EventReader& read) {
    RunComparison out;
    out.differs = whatDiffers(a, b, read);
    out.shared_kernels = sharedKernels(a, b);
    out.a_samples = sampleSteps(a.facts);
    out.b_samples = sampleSteps(b.facts);
    out.step = differenceOf(out.a_samples.durations_ns, out.b_samples.durations_ns);
    if (isPrevented(out)) {
        out.step.verdict = StepVerdict::CannotJudge;
    }
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
    return out;
}

std::string comparisonHeadline(const RunComparison& comparison) {
    const StepDifference& step = comparison.step;
    if (isPrevented(comparison)) {
        return "Cannot judge: the steps of these runs are not comparable";
    }
    switch (step.verdict) {
        case StepVerdict::Faster:
        case StepVerdict::Slower:
            return fmt::format("{}: a step takes {}{}", headOf(step), changeText(step.difference_ns),
                               step.share ? " (" + signedPercent(*step.share) + ")" : "");
        case StepVerdict::NoDifferenceSeen:
            return fmt::format("No difference seen: less than {} either way", formatPercent(kWorthSeeing));
        case StepVerdict::CannotJudge: break;
    }
    return "Cannot judge: a step takes " + rangeText(*step.interval_ns);
}

std::string comparisonVerdict(const RunComparison& comparison) {
    const StepDifference& step = comparison.step;
    const bool medians = step.a.samples > 0 && step.b.samples > 0;
    std::string numbers = medians ? mediansText(step) : std::string();
    if (isPrevented(comparison)) {
        numbers = numbers.empty() ? numbers : " As measured, " + numbers;
        return preventedText(comparison) + numbers;
    }
    std::string out = headOf(step) + ": " + numbers + intervalText(step);
    if (step.verdict == StepVerdict::CannotJudge) {
        out += fmt::format(" This may be chance, or it may be more than the {} of a step that is worth seeing.",
                           formatPercent(kWorthSeeing));
        if (step.steps_needed) {
            out += fmt::format(" About {} steps of each run would show such a difference with 80 % probability.",
                               *step.steps_needed);
        }
    }
    return out;
}

bool isRegression(const RunComparison& comparison, double percent) {
    const StepDifference& step = comparison.step;
    return step.verdict == StepVerdict::Slower && step.share_interval && step.share_interval->low > percent / 100;
}

}  // namespace rankscope
