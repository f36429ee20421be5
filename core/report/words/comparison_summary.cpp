// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/words/comparison_summary.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "core/base/format.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

void addLeftOut(const std::string& run, const std::vector<LeftOutStep>& steps, std::vector<std::string>& lines) {
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> by_reason;
    for (const LeftOutStep& step : steps) {
        if (by_reason.empty() || by_reason.back().first != step.reason) {
            by_reason.emplace_back(step.reason, std::vector<std::int64_t>());
        }
        by_reason.back().second.push_back(step.index);
    }
    for (std::size_t i = 0; i < std::min(by_reason.size(), kMostLines); ++i) {
        const auto& [reason, indices] = by_reason[i];
        lines.push_back(fmt::format("{}: {} left out: {}", run, formatNumbered("step", indices), reason));
    }
    if (by_reason.size() > kMostLines) {
        lines.push_back(fmt::format("{}: and {} more lines like these, in the JSON report", run,
                                    formatCount(by_reason.size() - kMostLines)));
    }
}

/// "A: base1 99.8 ms (8 steps), base2 101.1 ms (8 steps)", and a line for what does not count or differs.
void addSide(std::string_view letter, const ComparedSide& side, std::vector<std::string>& lines) {
    std::string counting;
    std::vector<std::string> others;
    for (const Recording& one : side.recordings) {
        if (one.counts()) {
            counting += fmt::format("{}{} {} ({})", counting.empty() ? "" : ", ", one.name,
                                    formatDuration(one.step.middle_ns), formatCounted(one.step.samples, "step"));
        } else {
            others.push_back(fmt::format("{}: {} does not count: {}.", letter, one.name, one.left_out));
        }
    }
    lines.push_back(fmt::format("{}: {}.", letter, counting.empty() ? "no recording counts" : counting));
    lines.insert(lines.end(), others.begin(), others.end());
    lines.insert(lines.end(), side.notes.begin(), side.notes.end());
}

}  // namespace

std::string signedDuration(DurationNs ns) {
    return (ns > 0 ? "+" : "") + formatDuration(ns);
}

const Finding& findingOf(const ComparisonView& view, const FindingPair& pair) {
    return pair.a ? view.a.diagnosis.findings[*pair.a] : view.b.diagnosis.findings[*pair.b];
}

std::string comparedTitle(const ComparisonView& view, const FindingPair& pair) {
    const std::string& title = findingOf(view, pair).title;
    if (!pair.a || !pair.b || view.b.diagnosis.findings[*pair.b].title == title) {
        return title;
    }
    return fmt::format("A: {}; B: {}", title, view.b.diagnosis.findings[*pair.b].title);
}

std::string comparisonTitle(const ComparisonView& view) {
    const auto title = [](const ComparedSide& side, const AnalysedRun& shown) {
        return side.recordings.size() > 1 ? formatCounted(side.recordings.size(), "recording") : shown.run->name;
    };
    return title(view.comparison.a_side, view.a) + " (A) against " + title(view.comparison.b_side, view.b) + " (B)";
}

std::vector<std::string> leftOutLines(const ComparisonView& view) {
    std::vector<std::string> lines;
    addLeftOut("A", view.comparison.a_samples.left_out, lines);
    addLeftOut("B", view.comparison.b_samples.left_out, lines);
    return lines;
}

std::vector<std::string> recordingLines(const ComparisonView& view) {
    const RunComparison& comparison = view.comparison;
    std::vector<std::string> lines;
    if (comparison.a_side.recordings.size() + comparison.b_side.recordings.size() > 2) {
        addSide("A", comparison.a_side, lines);
        addSide("B", comparison.b_side, lines);
        lines.push_back(fmt::format("Parts, findings and kernels are those of {} (A) and {} (B), the median steps.",
                                    view.a.run->name, view.b.run->name));
    }
    return lines;
}

/// By recordings, of which steps are a part.
std::string judgedByRecordings(const RerunSpread& spread) {
    return fmt::format(
        "Recordings of one side differ by {} (standard deviation, pooled; their steps alone explain {}). The interval "
        "is Student's t with {} of freedom.",
        formatPercent(spread.share), formatPercent(spread.within), formatCounted(spread.freedom, "degree"));
}

std::vector<std::string> judgedBy(const ComparisonView& view) {
    if (view.comparison.answer.knowsReruns()) {
        return {judgedByRecordings(*view.comparison.answer.spread)};
    }
    if (view.comparison.answer.forecast) {
        return {};  // its steps are those of the recording, moved: tests of chance say nothing
    }
    const StepDifference& step = view.comparison.step;
    std::vector<std::string> lines;
    const auto p_text = [](double p) { return p < 1e-4 ? std::string("< 0.0001") : "= " + formatDecimal(p, 4); };
    if (step.ranks) {
        lines.push_back(
            fmt::format("With so few steps the interval is by ranks: each step of B against each of A, median {} "
                        "(Hodges and Lehmann); exact p {} (Mann and Whitney).",
                        signedDuration(step.ranks->shift_ns), p_text(step.ranks->p)));
    }
    if (step.means) {
        const std::string p = p_text(step.means->p);
        lines.push_back(fmt::format("The means differ by {}; Welch's t-test p {}; effect size (Hedges' g) {}.",
                                    signedDuration(static_cast<DurationNs>(step.b.mean_ns - step.a.mean_ns)), p,
                                    formatDecimal(step.means->hedges_g, 1)));
    }
    if (step.interval_ns) {
        lines.emplace_back(
            "The interval covers these two recordings only. To see what changes from one start of a job to the next "
            "(placement, clocks, neighbours), make several recordings of each side.");
    }
    return lines;
}

std::string breakdownNote(const ComparisonView& view) {
    if (!view.comparison.breakdown) {
        return "Cannot tell: a run has no complete, steady-state step with GPU work.";
    }
    const Breakdown& breakdown = *view.comparison.breakdown;
    return fmt::format(
        "Means over {} and {} steps of ranks, so the parts add up. The verdict is based on medians of the run's steps.",
        breakdown.a_steps, breakdown.b_steps);
}

std::vector<std::string> whatChangesGave(const ComparisonView& view) {
    std::vector<std::string> lines;
    for (const FindingPair& pair : view.comparison.findings) {
        if (pair.change == FindingChange::Unchanged || !pair.a_time_ns || !pair.b_time_ns) {
            continue;
        }
        lines.push_back(fmt::format(
            "{}: {} of the mean step in A and {} in B ({}), without the waits of other ranks that it causes.",
            comparedTitle(view, pair), formatDuration(*pair.a_time_ns), formatDuration(*pair.b_time_ns),
            signedDuration(*pair.b_time_ns - *pair.a_time_ns)));
    }
    return lines;
}

std::vector<std::string> pairingLines(const ComparisonView& view) {
    return view.comparison.rank_notes;
}

std::vector<std::string> throughputLines(const ComparisonView& view) {
    std::vector<std::string> lines;
    const auto text = [](const std::optional<double>& tokens) {
        return tokens ? formatCount(static_cast<std::uint64_t>(*tokens)) : std::string("not known");
    };
    for (const ThroughputPair& pair : view.comparison.throughput) {
        std::string change;
        if (pair.a && pair.b && *pair.a > 0) {
            const double share = *pair.b / *pair.a - 1;
            change = fmt::format(" ({}{})", share > 0 ? "+" : "", formatPercent(share));
        }
        lines.push_back(fmt::format("Tokens per second in {} iterations: {} in A, {} in B{}.",
                                    pair.kind ? iterationTitle(pair.kind) : "other", text(pair.a), text(pair.b),
                                    change));
    }
    return lines;
}

std::vector<std::string> findingNotes(const ComparisonView& view) {
    const bool untold = std::ranges::any_of(
        view.comparison.findings, [](const FindingPair& pair) { return pair.change == FindingChange::CannotTell; });
    if (!untold) {
        return {};
    }
    return {
        "cannot-tell: the other run may have it too. It costs less than 1 % of its step (3 % for stragglers), too "
        "little for a finding."};
}

}  // namespace rankscope::report
