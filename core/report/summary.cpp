// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/summary.h"

#include <algorithm>
#include <map>

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

/// "step 5" or "steps 5 to 8".
std::string numbered(const std::string& one, const std::vector<std::int64_t>& numbers) {
    return one + (numbers.size() == 1 ? " " : "s ") + numberList(numbers);
}

}  // namespace

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
    return "None: nothing that these traces can tell costs 1 % of the step or more.";
}

std::vector<std::string> leftOutSteps(const AnalysedRun& run) {
    struct Where {
        std::vector<std::int64_t> steps;
        std::vector<std::uint32_t> ranks;
    };
    std::map<std::string, Where> by_reason;
    for (std::uint32_t position = 0; position < run.facts.ranks.size(); ++position) {
        for (const RankStep& step : run.facts.ranks[position].steps) {
            if (!step.complete || step.outlier) {
                Where& where = by_reason[step.complete ? step.outlier_reason : step.incomplete_reason];
                where.steps.push_back(step.index);
                if (where.ranks.empty() || where.ranks.back() != position) {
                    where.ranks.push_back(position);
                }
            }
        }
    }
    std::vector<std::string> out;
    for (const auto& [reason, where] : by_reason) {
        out.push_back("Kept out of the prices: " + rankList(*run.run, where.ranks) + ", " +
                      numbered("step", where.steps) + ": " + reason);
    }
    return out;
}

namespace {

void addCount(std::vector<std::string>& out, const std::string& who, std::uint64_t count, const std::string& what) {
    if (count > 0) {
        out.push_back(who + ": " + what + ": " + formatCount(count));
    }
}

void addHealth(std::vector<std::string>& out, const RankTrace& rank, std::size_t position) {
    const Health& health = rank.health;
    const std::string who = rankLabel(rank, position);
    if (health.truncated) {
        out.push_back(who + ": the data ends before it should");
    }
    addCount(out, who, health.skipped, "events that could not be read");
    addCount(out, who, health.recovered, "events read after their JSON was mended");
    for (std::size_t i = 0; i < std::min<std::size_t>(health.blemishes.size(), 3); ++i) {
        const Blemish& blemish = health.blemishes[i];
        const std::string file = blemish.file < rank.files.size() ? fileLabel(rank.files[blemish.file]) : who;
        out.push_back(Error{file, blemish.byte_offset, blemish.cause}.text());
    }
    addCount(out, who, health.overlapping, "slices that partly overlap another of their track (all are kept)");
    addCount(out, who, health.negative_durations, "durations below zero (kept with length zero)");
    addCount(out, who, health.early_kernels, "pieces of device work that start before their launch call");
    addCount(out, who, health.unlinked_launches, "launch calls without a device record");
    addCount(out, who, health.unlinked_device, "pieces of device work without a launch call");
    for (const std::string& note : health.notes) {
        out.push_back(who + ": " + note);
    }
}

}  // namespace

std::vector<std::string> healthLines(const Run& run) {
    std::vector<std::string> out;
    for (const Error& error : run.unreadable) {
        out.push_back("Not read: " + error.text());
    }
    if (!run.missing_ranks.empty()) {
        out.push_back("No file for " + numbered("rank", {run.missing_ranks.begin(), run.missing_ranks.end()}));
    }
    out.insert(out.end(), run.notes.begin(), run.notes.end());
    for (std::size_t position = 0; position < run.ranks.size(); ++position) {
        addHealth(out, *run.ranks[position], position);
    }
    return out;
}

}  // namespace rankscope::report
