// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/words/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/report/words/vocabulary.h"

namespace rankscope::report {
namespace {

std::string_view stepSourceTitle(StepSource source) {
    switch (source) {
        case StepSource::ProfilerStep: return "ProfilerStep marks";
        case StepSource::NamedRange: return "ranges named step_N";
        case StepSource::Iteration: return "starts of a server's iterations";
        case StepSource::OptimizerStep: return "ends of Optimizer.step";
        case StepSource::DataLoaderNext: return "starts of the DataLoader's __next__";
        case StepSource::WholeWindow: return "no usable marks: each recorded window is one step";
    }
    return "";
}

/// ", median step 47.2 ms"; if the mean represents the run, with the long steps that are the reason. ", the whole
/// window 437.2 ms" if nothing marks steps.
std::string pricedStepText(const RunFacts& facts) {
    if (facts.pricedStep() <= 0) {
        return {};
    }
    if (isWholeWindow(facts)) {
        return fmt::format(", {} {}", facts.steps.size() == 1 ? "the whole window" : "a window",
                           formatDuration(facts.pricedStep()));
    }
    const IterationSums* priced = facts.iterations.priced();
    const std::string what =
        priced != nullptr && priced->kind ? std::string(iterationTitle(priced->kind)) + " iteration" : "step";
    if (facts.basis == StepBasis::Median) {
        return fmt::format(", median {} {}", what, formatDuration(facts.median_step_ns));
    }
    std::vector<DurationNs> steady;
    for (const RunStep& step : facts.steps) {
        if (isSteady(step)) {
            steady.push_back(step.duration_ns);
        }
    }
    const std::vector<bool> is_long = findOutliers(steady);
    std::vector<DurationNs> lengths;
    for (std::size_t i = 0; i < steady.size(); ++i) {
        if (is_long[i]) {
            lengths.push_back(steady[i]);
        }
    }
    std::string out = fmt::format(", mean {} {}", what, formatDuration(facts.mean_step_ns));
    if (!lengths.empty()) {
        const auto [least, most] = std::ranges::minmax(lengths);
        const std::string range =
            least == most ? formatDuration(least) : formatDuration(least) + " to " + formatDuration(most);
        out += fmt::format(" (median {}; {} of {} {} {})", formatDuration(facts.median_step_ns), lengths.size(),
                           formatCounted(steady.size(), "step"), lengths.size() == 1 ? "takes" : "take", range);
    }
    return out;
}

}  // namespace

std::string coverageText(const Coverage& coverage) {
    return fmt::format("{} of {}, {} of the recorded time", coverage.steps, formatCounted(coverage.of_steps, "step"),
                       formatPercent(coverage.share()));
}

std::string coverageText(const Run& run, const Coverage& coverage) {
    if (!run.chosen_steps || run.chosen_steps->steps.size() <= coverage.of_steps) {
        return coverageText(coverage);
    }
    return fmt::format("{} of {} read (of {}), {} of {} time", coverage.steps, formatCounted(coverage.of_steps, "step"),
                       run.chosen_steps->steps.size(), formatPercent(coverage.share()),
                       coverage.of_steps == 1 ? "its" : "their");
}

std::string rankList(const Run& run, const std::vector<RankPosition>& positions) {
    std::vector<std::int64_t> numbers;
    std::string nameless;
    for (const RankPosition position : positions) {
        if (const auto& rank = run.ranks[position]->rank) {
            numbers.push_back(rank->value);
        } else {
            nameless += (nameless.empty() ? "" : ", ") + rankLabel(*run.ranks[position], position);
        }
    }
    if (numbers.empty()) {
        return nameless;
    }
    const std::string named = formatNumbered("rank", numbers);
    return nameless.empty() ? named : named + ", " + nameless;
}

std::string runSummary(const AnalysedRun& run) {
    std::string out = formatCounted(run.run->ranks.size(), "rank");
    std::vector<std::int64_t> indices;
    StepSource source = StepSource::ProfilerStep;
    for (const RunStep& step : run.facts.steps) {
        indices.push_back(step.index);
    }
    for (const RankFacts& facts : run.facts.ranks) {
        source = std::max(source, facts.steps.empty() ? source : facts.step_source);
    }
    if (indices.empty()) {
        return out + ", no steps";
    }
    out += fmt::format(", {} ({})", formatNumbered("step", indices), stepSourceTitle(source));
    return out + pricedStepText(run.facts);
}

bool isWholeWindow(const RunFacts& facts) {
    return !facts.steps.empty() && std::ranges::all_of(facts.ranks, [](const RankFacts& rank) {
        return rank.steps.empty() || rank.step_source == StepSource::WholeWindow;
    });
}

std::string coverageLine(const AnalysedRun& run) {
    const Coverage& verdict = run.facts.verdict.coverage;
    const Coverage& prices = run.diagnosis.prices;
    if (verdict.steps == 0) {
        return {};
    }
    const std::string stands = coverageText(*run.run, verdict);
    // The step that a price is compared with is over all counted steps; prices are over those that follow another one.
    return prices == verdict ? fmt::format("The verdict and the prices are based on {}.", stands)
                             : fmt::format("The verdict and the {} step are based on {}, the prices on {}.",
                                           stepBasisName(run.facts.basis), stands, coverageText(*run.run, prices));
}

std::string savingRangeText(const AnalysedRun& run, const Finding& finding) {
    const DurationNs step_ns = run.facts.pricedStep();
    if (finding.saving_ns <= 0 || step_ns <= 0 || !isToldAsRange(finding, step_ns)) {
        return {};
    }
    const SavingRange& range = *finding.range;
    const auto share = [step_ns](DurationNs ns) {
        return formatPercent(static_cast<double>(ns) / static_cast<double>(step_ns));
    };
    return range.low_ns <= 0 ? fmt::format("95 %: 0 to {} ({})", formatDuration(range.high_ns), share(range.high_ns))
                             : fmt::format("95 %: {} to {} ({} to {})", formatDuration(range.low_ns),
                                           formatDuration(range.high_ns), share(range.low_ns), share(range.high_ns));
}

std::string findingPrice(const AnalysedRun& run, const Finding& finding) {
    std::string saves = finding.saving_ns <= 0
                            ? "has no price"
                            : fmt::format("saves {}{} per step ({})", finding.at_most ? "up to " : "",
                                          formatDuration(finding.saving_ns), formatPercent(finding.share));
    if (const std::string range = savingRangeText(run, finding); !range.empty()) {
        saves += ", " + range;
    }
    std::string out = fmt::format("{}, blocks {} per step; confidence {}", saves, formatDuration(finding.blocked_ns),
                                  confidenceName(finding.confidence));
    if (!finding.ranks.empty()) {
        out += "; " + rankList(*run.run, finding.ranks);
    }
    if (!finding.steps.empty()) {
        out += "; " + formatNumbered("step", finding.steps);
    }
    if (finding.coverage.steps > 0 && finding.coverage != run.diagnosis.prices) {
        out += "; based on " + coverageText(*run.run, finding.coverage);
    }
    return out;
}

std::string evidencePlace(const AnalysedRun& run, const Evidence& evidence, bool with_length) {
    const RankTrace& rank = *run.run->ranks[evidence.rank];
    std::string out = fmt::format("{}, step {}", rankLabel(rank, evidence.rank), evidence.step);
    if (!evidence.slice.valid()) {
        return out;
    }
    const TimeSpan span = rank.span(evidence.slice);
    const TimeNs from_base = run.clock.ranks[evidence.rank].toRun(FileTime(span.start_ns)) - run.clock.base_ns;
    return fmt::format("{}, {}at {} on {}", out, with_length ? formatDuration(span.length()) + " " : std::string(),
                       formatDuration(from_base), rank.track(evidence.slice).name);
}

std::string noFindings(const AnalysedRun& run) {
    if (run.facts.median_step_ns == 0) {
        return "None: no step is complete and steady, so nothing can be priced.";
    }
    if (run.facts.efficiency.no_flops == NoFlops::NoDevice) {
        return "None: without GPU work nothing can be priced.";
    }
    if (const std::optional<double> bubble = unpricedBubble(run)) {
        return fmt::format(
            "None: nothing with a price costs 1 % of the step or more. A bubble takes {} of the pipeline's working "
            "time; it has no price.",
            formatPercent(*bubble));
    }
    if (!run.diagnosis.headline.known) {
        return "None: no recorded cause costs 1 % of the step or more.";
    }
    return "None: nothing costs 1 % of the step or more.";
}

std::optional<double> unpricedBubble(const AnalysedRun& run) {
    constexpr double kLeast = 0.01;  // as a finding
    std::optional<double> largest;
    for (const Pipeline& pipeline : run.facts.pipeline.pipelines) {
        if (!pipeline.forecast && pipeline.bubbleShare() >= std::max(kLeast, largest.value_or(0))) {
            largest = pipeline.bubbleShare();
        }
    }
    return largest;
}

std::vector<std::string> leftOutSteps(const AnalysedRun& run) {
    SaidOfRanks said;
    for (RankPosition position{0}; position < run.facts.ranks.size(); ++position) {
        std::vector<std::pair<std::string_view, std::vector<std::int64_t>>> by_reason;  // in the order of the steps
        std::unordered_map<std::string_view, std::size_t> at;
        for (const RankStep& step : run.facts.ranks[position].steps) {
            if (step.complete && !step.outlier) {
                continue;
            }
            const std::string_view reason = step.complete ? step.outlier_reason : step.incomplete_reason;
            const auto [place, is_new] = at.try_emplace(reason, by_reason.size());
            if (is_new) {
                by_reason.emplace_back(reason, std::vector<std::int64_t>());
            }
            by_reason[place->second].second.push_back(step.index);
        }
        for (const auto& [reason, steps] : by_reason) {
            said.say(fmt::format("{} not priced: {}", formatNumbered("step", steps), reason), position);
        }
    }
    return said.lines(*run.run, kMostLines);
}

std::vector<const RankLateness*> latestRanks(const RunFacts& facts, std::size_t rows) {
    std::vector<const RankLateness*> ranks;
    if (facts.stragglers.ranks.size() < 2) {
        return ranks;
    }
    for (const RankLateness& rank : facts.stragglers.ranks) {
        ranks.push_back(&rank);
    }
    std::ranges::stable_sort(ranks, std::greater<>(), &RankLateness::segment_ns);
    ranks.resize(std::min(rows, ranks.size()));
    return ranks;
}

Table latenessTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    const std::vector<const RankLateness*> ranks = latestRanks(run.facts, rows);
    if (ranks.empty()) {
        return table;
    }
    const bool all_are_peers = run.facts.stragglers.peers.size() < 2;
    const std::string of_mean = all_are_peers ? "of the mean" : "of its peers' mean";
    table.header = {"", "segment time", of_mean, "z-score", "times last", "segment saving", "saves"};
    for (const RankLateness* rank : ranks) {
        const std::string findings = findingsOfRank(run, rank->rank);
        table.rows.push_back({rankLabel(*run.run->ranks[rank->rank], rank->rank), formatDuration(rank->segment_ns),
                              formatPercent(rank->over_mean), rank->z_score ? formatDecimal(*rank->z_score, 2) : "-",
                              std::to_string(rank->last_steps),
                              formatDuration(rank->saving_ns) + " (" + formatPercent(rank->throughput_lost) + ")",
                              findings.empty() ? "-" : findings});
    }
    return table;
}

std::string findingsOfRank(const AnalysedRun& run, RankPosition rank) {
    std::string text;
    for (const Finding& finding : run.diagnosis.findings) {
        const bool names = std::ranges::find(finding.ranks, rank) != finding.ranks.end();
        if (finding.saving_ns > 0 && names && finding.ranks.size() < run.run->ranks.size()) {
            const std::string others = finding.ranks.size() > 1 ? ", with the other ranks that it names" : "";
            text += (text.empty() ? "" : "; ") + formatDuration(finding.saving_ns) + " (" +
                    std::string(findingName(finding.id)) + others + ")";
        }
    }
    return text;
}

std::string latenessNote() {
    return "Segment time is what a rank needs from the end of a blocking collective until it is ready for the next. "
           "Mean and z-score are of its peers: the ranks with which it waits in collectives. Segment saving is how "
           "much sooner the last rank would be ready if this rank took the median of the others. The run may save "
           "less, because the other ranks' CPUs go on while their GPUs wait, and may need that time. It may save more "
           "if waiting collectives slow the others' work. The findings that name the rank show what the run saves, "
           "simulated with all ranks.";
}

}  // namespace rankscope::report
