// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/words/comparison_outline.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/base/format.h"
#include "core/diagnosis/frame/wording.h"
#include "core/report/words/outline.h"

namespace rankscope::report {
namespace {

bool isPrevented(const RunComparison& comparison) {
    return std::ranges::any_of(comparison.differs,
                               [](const ConfigDifference& one) { return one.impact == Impact::Prevents; });
}

/// "75 % less"; empty where the share is not known.
std::string shareText(const StepDifference& step) {
    return step.share ? fmt::format("{} {}", formatPercent(std::abs(*step.share)), *step.share < 0 ? "less" : "more")
                      : std::string();
}

std::string changeOf(const RunComparison& comparison) {
    switch (comparison.step.verdict) {
        case StepVerdict::Faster:
        case StepVerdict::Slower: return shareText(comparison.step);
        case StepVerdict::NoDifferenceSeen: return "no difference seen";
        case StepVerdict::CannotJudge: break;
    }
    return "cannot judge";
}

/// The finding whose going or coming is at least half of the difference of the steps.
std::string reasonOf(const ComparisonView& view, const Advice* advice) {
    const StepDifference& step = view.comparison.step;
    const bool faster = step.verdict == StepVerdict::Faster;
    if (!faster && step.verdict != StepVerdict::Slower) {
        return {};
    }
    const FindingPair* best = nullptr;
    const auto gain = [&](const FindingPair& pair) {
        return faster ? pair.a_saving_ns - pair.b_saving_ns : pair.b_saving_ns - pair.a_saving_ns;
    };
    for (const FindingPair& pair : view.comparison.findings) {
        if (pair.change != FindingChange::CannotTell && (best == nullptr || gain(pair) > gain(*best))) {
            best = &pair;
        }
    }
    if (best == nullptr || 2 * gain(*best) < std::abs(step.difference_ns)) {
        return {};
    }
    const Finding& finding = findingOf(view, *best);
    if (best->change == FindingChange::Resolved) {
        return advice != nullptr ? advice->gone(finding.id) : Wording::builtIn()->advice.gone(finding.id);
    }
    return fmt::format("{}: {}", changeTitle(best->change), finding.title);
}

std::string answerOf(const ComparisonView& view, const ComparisonOutline& outline) {
    const RunComparison& comparison = view.comparison;
    const StepDifference& step = comparison.step;
    const std::string steps =
        fmt::format("{}, was {}", formatDuration(step.b.median_ns), formatDuration(step.a.median_ns));
    if (isPrevented(comparison)) {
        return fmt::format("Cannot judge: the steps of {} and {} cannot be compared.", outline.a, outline.b);
    }
    switch (step.verdict) {
        case StepVerdict::Faster:
        case StepVerdict::Slower:
            return fmt::format("{} takes {} per step ({}){}{}.", outline.b, outline.change, steps,
                               outline.reason.empty() ? "" : ": ", outline.reason);
        case StepVerdict::NoDifferenceSeen:
            return fmt::format("No difference seen between {} and {}: less than {} either way ({}).", outline.a,
                               outline.b, formatPercent(kWorthSeeing), steps);
        case StepVerdict::CannotJudge: break;
    }
    std::string out = fmt::format("Cannot judge whether {} is faster ({}).", outline.b, steps);
    if (step.steps_needed) {
        out += fmt::format(" Record about {} steps of each.", *step.steps_needed);
    }
    return out;
}

std::string rangeOf(const StepDifference& step) {
    if (!step.interval_ns) {
        return {};
    }
    const NsInterval& range = *step.interval_ns;
    const std::string steps = fmt::format("from {} and {} steps", step.a.samples, step.b.samples);
    if (range.low < 0 && range.high > 0) {
        return fmt::format("95 %: {} less to {} more per step, {}.", formatDuration(-range.low),
                           formatDuration(range.high), steps);
    }
    const auto [least, most] = std::minmax({std::abs(range.low), std::abs(range.high)});
    return fmt::format("95 %: {} to {} {} per step, {}.", formatDuration(least), formatDuration(most),
                       range.high > 0 ? "more" : "less", steps);
}

/// The parts that changed most in the order of the step, the others as one where there are more, and the whole. Those
/// that hardly changed come behind the others by their size.
std::vector<ComparedPart> partsOf(const std::optional<Breakdown>& breakdown, std::size_t most) {
    if (!breakdown) {
        return {};
    }
    std::vector<BreakdownRow> rows;
    std::ranges::copy_if(breakdown->rows, std::back_inserter(rows),
                         [](const BreakdownRow& row) { return row.a_ns != 0 || row.b_ns != 0; });
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t row) {
        const DurationNs change = std::abs(rows[row].differenceNs());
        return std::pair(change >= leastChange(*breakdown) ? change : 0, std::max(rows[row].a_ns, rows[row].b_ns));
    });
    const auto others = order.begin() + static_cast<std::ptrdiff_t>(rows.size() > most ? most - 1 : rows.size());
    std::sort(order.begin(), others);
    std::vector<ComparedPart> parts;
    for (auto at = order.begin(); at != others; ++at) {
        const BreakdownRow& row = rows[*at];
        parts.push_back({breakdownTitle(row), row.a_ns, row.b_ns, row});
    }
    if (others != order.end()) {
        ComparedPart rest{std::string(kOtherParts)};
        for (auto at = others; at != order.end(); ++at) {
            rest.a_ns += rows[*at].a_ns;
            rest.b_ns += rows[*at].b_ns;
        }
        parts.push_back(std::move(rest));
    }
    parts.push_back({"Step", breakdown->a_step_ns, breakdown->b_step_ns, {}, true});
    return parts;
}

/// "up to 28.1 ms"; "-" where the run has no such finding.
std::string savingOf(const Diagnosis& diagnosis, std::optional<std::uint32_t> finding, DurationNs saving_ns) {
    if (!finding) {
        return "-";
    }
    return (diagnosis.findings[*finding].at_most ? "up to " : "") + formatDuration(saving_ns);
}

std::string differsOf(const RunComparison& comparison) {
    std::string out;
    for (const ConfigDifference& one : comparison.differs) {
        out += fmt::format("{}{}: {} and {}", out.empty() ? "" : "; ", aspectName(one.aspect), one.a, one.b);
    }
    return out;
}

/// From 1.
std::optional<std::size_t> numberOf(std::optional<std::uint32_t> finding) {
    return finding ? std::optional<std::size_t>(*finding + std::size_t{1}) : std::nullopt;
}

}  // namespace

std::string_view changeTitle(FindingChange change) {
    switch (change) {
        case FindingChange::Resolved: return "fixed";
        case FindingChange::New: return "new";
        case FindingChange::Better: return "better";
        case FindingChange::Worse: return "worse";
        case FindingChange::Unchanged: return "same";
        case FindingChange::CannotTell: break;
    }
    return "cannot tell";
}

DurationNs leastChange(const Breakdown& breakdown) {
    constexpr DurationNs kPartsOfStep = 200;  // 0.5 %, as in the bar of a run
    return std::max<DurationNs>(1, std::max(breakdown.a_step_ns, breakdown.b_step_ns) / kPartsOfStep);
}

std::array<std::string, 4> comparedRunTitles(const std::string& a) {
    return {"run", "step", "against " + a, "why"};
}

ComparisonOutline outlineOf(const ComparisonView& view, std::size_t most_parts, const Advice* advice) {
    const RunComparison& comparison = view.comparison;
    ComparisonOutline outline;
    outline.verdict = comparison.step.verdict;
    outline.a = view.a.run->name;
    outline.b = view.b.run->name;
    outline.change = changeOf(comparison);
    outline.reason = reasonOf(view, advice);
    outline.answer = answerOf(view, outline);
    outline.range = rangeOf(comparison.step);
    outline.runs = {fmt::format("A  {}: {}", outline.a, outlineOf(view.a).size),
                    fmt::format("B  {}: {}", outline.b, outlineOf(view.b).size)};
    outline.b_step = formatDuration(comparison.step.b.median_ns);
    outline.parts = partsOf(comparison.breakdown, most_parts);
    for (const FindingPair& pair : comparison.findings) {
        outline.findings.push_back(
            {pair.change, comparedTitle(view, pair), savingOf(view.a.diagnosis, pair.a, pair.a_saving_ns),
             savingOf(view.b.diagnosis, pair.b, pair.b_saving_ns), numberOf(pair.a), numberOf(pair.b)});
    }
    outline.differs = differsOf(comparison);
    if (comparison.step.interval_ns) {
        outline.doubt =
            "One recording a side does not show what changes between two starts of a job: record each twice.";
    }
    return outline;
}

}  // namespace rankscope::report
