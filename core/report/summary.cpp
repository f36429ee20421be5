// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/summary.h"

#include <algorithm>
#include <utility>

#include "core/base/format.h"
#include "core/report/vocabulary.h"

namespace rankscope::report {
namespace {

std::string_view stepSourceTitle(StepSource source) {
    switch (source) {
        case StepSource::ProfilerStep: return "ProfilerStep marks";
        case StepSource::NamedRange: return "ranges named step_N";
        case StepSource::OptimizerStep: return "ends of Optimizer.step";
        case StepSource::DataLoaderNext: return "starts of the DataLoader's __next__";
        case StepSource::WholeWindow: return "no marks: the whole window is one step";
    }
    return "";
}

std::string plural(std::size_t count, const std::string& one) {
    return formatCount(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace

std::string numbered(const std::string& one, const std::vector<std::int64_t>& numbers) {
    const bool several = std::ranges::any_of(numbers, [&](std::int64_t number) { return number != numbers.front(); });
    return one + (several ? "s " : " ") + numberList(numbers);
}

std::string numberList(std::vector<std::int64_t> numbers) {
    std::ranges::sort(numbers);
    const auto repeated = std::ranges::unique(numbers);
    numbers.erase(repeated.begin(), repeated.end());
    std::string out;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        out += (out.empty() ? "" : ", ") + std::to_string(numbers[first]);
        if (last > first) {
            out += (last == first + 1 ? ", " : " to ") + std::to_string(numbers[last]);
        }
        first = last + 1;
    }
    return out;
}

std::string rankList(const Run& run, const std::vector<std::uint32_t>& positions) {
    std::vector<std::int64_t> numbers;
    std::string nameless;
    for (const std::uint32_t position : positions) {
        if (const auto& rank = run.ranks[position]->rank) {
            numbers.push_back(*rank);
        } else {
            nameless += (nameless.empty() ? "" : ", ") + rankLabel(*run.ranks[position], position);
        }
    }
    if (numbers.empty()) {
        return nameless;
    }
    const std::string named = numbered("rank", numbers);
    return nameless.empty() ? named : named + ", " + nameless;
}

std::string runSummary(const AnalysedRun& run) {
    std::string out = plural(run.run->ranks.size(), "rank");
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
    out += ", " + numbered("step", indices) + " (" + std::string(stepSourceTitle(source)) + ")";
    return run.facts.median_step_ns > 0 ? out + ", median step " + formatDuration(run.facts.median_step_ns) : out;
}

std::string findingPrice(const AnalysedRun& run, const Finding& finding) {
    std::string out = "saves " + formatDuration(finding.saving_ns) + " a step (" + formatPercent(finding.share) +
                      "), blocks " + formatDuration(finding.blocked_ns) + " a step; confidence " +
                      std::string(confidenceName(finding.confidence));
    if (!finding.ranks.empty()) {
        out += "; " + rankList(*run.run, finding.ranks);
    }
    if (!finding.steps.empty()) {
        out += "; " + numbered("step", finding.steps);
    }
    return out;
}

std::string evidencePlace(const AnalysedRun& run, const Evidence& evidence) {
    const RankTrace& rank = *run.run->ranks[evidence.rank];
    std::string out = rankLabel(rank, evidence.rank) + ", step " + std::to_string(evidence.step);
    if (!evidence.slice.valid()) {
        return out;
    }
    const TimeSpan span = rank.span(evidence.slice);
    const TimeNs from_base = run.clock.ranks[evidence.rank].toRun(span.start_ns) - run.clock.base_ns;
    return out + ", " + formatDuration(span.length()) + " at " + formatDuration(from_base) + " on " +
           rank.track(evidence.slice).name;
}

std::string noFindings(const AnalysedRun& run) {
    if (run.facts.median_step_ns == 0) {
        return "None: no step is complete and ordinary, so nothing can be priced.";
    }
    return "None: nothing that this version looks for costs 1 % of the step or more.";
}

std::vector<std::string> leftOutSteps(const AnalysedRun& run) {
    std::vector<Said> said;
    for (std::uint32_t position = 0; position < run.facts.ranks.size(); ++position) {
        std::vector<std::pair<std::string, std::vector<std::int64_t>>> by_reason;  // in the order of the steps
        for (const RankStep& step : run.facts.ranks[position].steps) {
            if (step.complete && !step.outlier) {
                continue;
            }
            const std::string& reason = step.complete ? step.outlier_reason : step.incomplete_reason;
            auto at = std::ranges::find(by_reason, reason, [](const auto& entry) { return entry.first; });
            if (at == by_reason.end()) {
                at = by_reason.insert(at, {reason, {}});
            }
            at->second.push_back(step.index);
        }
        for (const auto& [reason, steps] : by_reason) {
            sayOnce(said, numbered("step", steps) + " kept out of the prices: " + reason, position);
        }
    }
    return linesOf(*run.run, said);
}

}  // namespace rankscope::report
