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

/// "75 % less"; empty where the share is not known.
std::string shareText(const StepAnswer& answer) {
    return answer.share
               ? fmt::format("{} {}", formatPercent(std::abs(*answer.share)), *answer.share < 0 ? "less" : "more")
               : std::string();
}

std::string changeOf(const StepAnswer& answer) {
    switch (answer.verdict) {
        case StepVerdict::Faster:
        case StepVerdict::Slower:
        case StepVerdict::DifferenceOfRecordings: return shareText(answer);
        case StepVerdict::NoDifferenceSeen: return "no difference that matters";
        case StepVerdict::CannotJudge: break;
    }
    return "cannot judge";
}

/// The finding whose going or coming is at least half of the difference of the steps.
std::string reasonOf(const ComparisonView& view, const Advice* advice) {
    const StepDifference& step = view.comparison.step;
    const StepVerdict verdict = view.comparison.answer.verdict;
    if (verdict == StepVerdict::NoDifferenceSeen || verdict == StepVerdict::CannotJudge) {
        return {};
    }
    const bool faster = step.difference_ns < 0;
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

std::string sentenceOf(const ComparisonView& view, const ComparisonOutline& outline) {
    const RunComparison& comparison = view.comparison;
    const StepAnswer& answer = comparison.answer;
    const std::string steps = fmt::format("{}, was {}", formatDuration(answer.b_ns), formatDuration(answer.a_ns));
    if (isPrevented(comparison)) {
        return fmt::format("Cannot judge: the steps of {} and {} cannot be compared.", outline.a, outline.b);
    }
    const std::string reason = outline.reason.empty() ? std::string() : ": " + outline.reason;
    switch (answer.verdict) {
        case StepVerdict::Faster:
            return fmt::format("Faster: B takes {} per step ({}){}.", outline.change, steps, reason);
        case StepVerdict::Slower:
            return fmt::format("Slower: B takes {} per step ({}){}.", outline.change, steps, reason);
        case StepVerdict::DifferenceOfRecordings:
            return fmt::format("{}: {} takes {} per step ({}){}.",
                               answer.forecast ? "Forecast" : "Difference of recordings", outline.b, outline.change,
                               steps, reason);
        case StepVerdict::NoDifferenceSeen:
            return fmt::format("No difference that matters between {} and {}: less than {} either way ({}).", outline.a,
                               outline.b, formatPercent(answer.matters), steps);
        case StepVerdict::CannotJudge: break;
    }
    std::string out = fmt::format("Cannot judge whether {} is faster ({}).", outline.b, steps);
    if (answer.recordings_needed) {
        out += fmt::format(" Make about {} recordings of each to see {}.", *answer.recordings_needed,
                           formatPercent(answer.matters));
    } else if (comparison.step.steps_needed) {
        out += fmt::format(" Record about {} steps of each.", *comparison.step.steps_needed);
    }
    return out;
}

std::string rangeOf(const RunComparison& comparison) {
    const StepAnswer& answer = comparison.answer;
    if (!answer.interval_ns) {
        return {};
    }
    const NsInterval& range = *answer.interval_ns;
    const std::string from =
        answer.knowsReruns()
            ? fmt::format("from {} and {} recordings", answer.a_recordings, answer.b_recordings)
            : fmt::format("from {} and {} steps", comparison.step.a.samples, comparison.step.b.samples);
    if (range.low < 0 && range.high > 0) {
        return fmt::format("95 %: {} less to {} more per step, {}.", formatDuration(-range.low),
                           formatDuration(range.high), from);
    }
    const auto [least, most] = std::minmax({std::abs(range.low), std::abs(range.high)});
    return fmt::format("95 %: {} to {} {} per step, {}.", formatDuration(least), formatDuration(most),
                       range.high > 0 ? "more" : "less", from);
}

/// What the recordings cannot show; empty where they show what a re-run changes.
std::string doubtOf(const StepAnswer& answer) {
    if (!answer.interval_ns || answer.knowsReruns()) {
        return {};
    }
    if (answer.forecast) {
        return std::string(answer.doubt());
    }
    const std::string_view what = answer.verdict == StepVerdict::NoDifferenceSeen
                                      ? "One recording each: re-runs may differ more."
                                      : answer.doubt();
    return fmt::format("{} Make {} or more recordings of each side.", what, kFewestRecordings);
}

/// The one recording of a side, or how many there are and which is shown below.
std::string sideText(std::string_view letter, const ComparedSide& side, const AnalysedRun& shown) {
    const std::string size = outlineOf(shown).size;
    if (side.recordings.size() == 1) {
        return fmt::format("{}  {}: {}", letter, shown.run->name, size);
    }
    const auto counts = std::ranges::count_if(side.recordings, &Recording::counts);
    return fmt::format("{}  {} of {}; below: {}, {}", letter, counts,
                       formatCounted(side.recordings.size(), "recording"), shown.run->name, size);
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
        const std::string values = one.a == one.b ? one.a + " on each side" : one.a + " and " + one.b;
        out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", aspectWords(one.aspect), values);
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
    const bool several = comparison.answer.knowsReruns();
    ComparisonOutline outline;
    outline.verdict = comparison.answer.verdict;
    outline.a = several ? "A" : view.a.run->name;
    outline.b = several ? "B" : view.b.run->name;
    outline.change = changeOf(comparison.answer);
    outline.reason = reasonOf(view, advice);
    outline.answer = sentenceOf(view, outline);
    outline.range = rangeOf(comparison);
    outline.runs = {sideText("A", comparison.a_side, view.a), sideText("B", comparison.b_side, view.b)};
    outline.b_step = formatDuration(comparison.answer.b_ns);
    outline.parts = partsOf(comparison.breakdown, most_parts);
    for (const FindingPair& pair : comparison.findings) {
        outline.findings.push_back(
            {pair.change, comparedTitle(view, pair), savingOf(view.a.diagnosis, pair.a, pair.a_saving_ns),
             savingOf(view.b.diagnosis, pair.b, pair.b_saving_ns), numberOf(pair.a), numberOf(pair.b)});
    }
    outline.differs = differsOf(comparison);
    outline.doubt = doubtOf(comparison.answer);
    return outline;
}

}  // namespace rankscope::report
