// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/chosen_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/base/format.h"
#include "core/base/statistics.h"

namespace rankscope::report {
namespace {

constexpr std::size_t kStepsNamed = 8;
constexpr std::size_t kRanksNamed = 8;

/// "--steps 59-61": a step and its neighbours, if there are any.
std::string stepsAround(const ChosenSteps& chosen, std::int64_t step) {
    const std::int64_t first = std::max(step - 1, chosen.steps.front().number);
    const std::int64_t last = std::min(step + 1, chosen.steps.back().number);
    return fmt::format("--steps {}-{}", first, last);
}

std::string howToSee(const ChosenSteps& chosen, std::int64_t step) {
    return chosen.reads(step) ? "It is read in full." : stepsAround(chosen, step) + " shows why.";
}

/// The lower median of the medians of some of the steps.
DurationNs medianOf(const std::vector<TabledStep>& steps, std::size_t begin, std::size_t end) {
    std::vector<DurationNs> medians;
    for (std::size_t i = begin; i < end; ++i) {
        medians.push_back(steps[i].median_ns);
    }
    return lowerMedian(std::move(medians));
}

std::string allStepsLine(const ChosenSteps& chosen) {
    const std::vector<TabledStep>& steps = chosen.steps;
    std::string line = fmt::format(
        "All {} of {}, from the tables of the digests: the median rank takes {} in the median step, by each rank's own "
        "record",
        formatCounted(steps.size(), "step"), formatCounted(chosen.ranks, "rank"), formatDuration(chosen.median_ns));
    constexpr std::size_t kQuarters = 4;
    const std::size_t quarter = (steps.size() - 1) / kQuarters;
    if (quarter >= 2) {
        line += fmt::format("; {} in the first quarter of the steps, {} in the last",
                            formatDuration(medianOf(steps, 1, 1 + quarter)),
                            formatDuration(medianOf(steps, steps.size() - quarter, steps.size())));
    }
    return line + ".";
}

void addLongSteps(const ChosenSteps& chosen, std::vector<std::string>& lines) {
    std::vector<const TabledStep*> long_steps;
    for (const TabledStep& step : chosen.steps) {
        if (step.is_long) {
            long_steps.push_back(&step);
        }
    }
    std::ranges::stable_sort(long_steps, std::ranges::greater(), &TabledStep::median_ns);
    for (std::size_t i = 0; i < std::min(kStepsNamed, long_steps.size()); ++i) {
        const TabledStep& step = *long_steps[i];
        lines.push_back(fmt::format("Step {} is long: {} on the median rank, {} on rank {} (the longest). {}",
                                    step.number, formatDuration(step.median_ns), formatDuration(step.longest_ns),
                                    step.longest_rank.value, howToSee(chosen, step.number)));
    }
    if (long_steps.size() > kStepsNamed) {
        lines.push_back(fmt::format("{} more steps are long; the JSON report has them.",
                                    formatCount(long_steps.size() - kStepsNamed)));
    }
}

std::string longRankLine(const ChosenSteps& chosen, const TabledRank& rank) {
    const std::string steps = rank.long_steps == 1
                                  ? fmt::format("step {}", rank.worst_step)
                                  : fmt::format("{} steps between {} and {}, most in step {}", rank.long_steps,
                                                rank.first_long, rank.last_long, rank.worst_step);
    return fmt::format("Rank {} takes longer than usual in {}: {} without exposed communication instead of {}{}. {}",
                       rank.rank.value, steps, formatDuration(rank.worst_ns), formatDuration(rank.typical_ns),
                       rank.cause.empty() ? std::string() : fmt::format(", GPU idle mostly because of {}", rank.cause),
                       howToSee(chosen, rank.worst_step));
}

void addLongRanks(const ChosenSteps& chosen, std::vector<std::string>& lines) {
    const std::size_t named = std::min(kRanksNamed, chosen.long_ranks.size());
    for (std::size_t i = 0; i < named; ++i) {
        lines.push_back(longRankLine(chosen, chosen.long_ranks[i]));
    }
    if (chosen.long_rank_count > named) {
        lines.push_back(fmt::format("{} more such ranks; the JSON report has the first {}.",
                                    formatCount(chosen.long_rank_count - named), ChosenSteps::kMostLongRanks));
    }
}

}  // namespace

std::vector<std::string> chosenStepsLines(const Run& run) {
    if (!run.chosen_steps) {
        return {};
    }
    const ChosenSteps& chosen = *run.chosen_steps;
    std::vector<std::string> lines = {chosenStepsNote(chosen), allStepsLine(chosen)};
    const std::size_t before = lines.size();
    addLongSteps(chosen, lines);
    addLongRanks(chosen, lines);
    if (lines.size() == before) {
        lines.emplace_back(
            "No step after the first is long, and no rank takes longer than usual: none is more than a quarter above "
            "its median.");
    }
    return lines;
}

DataTable tabledStepsTable(const AnalysedRun& run) {
    DataTable table{"all_steps",
                    {{"run", "run", Unit::Name},
                     {"step", "step", Unit::Number},
                     {"read", "read in full", Unit::Flag},
                     {"ranks", "ranks", Unit::Count},
                     {"complete", "complete on", Unit::Count},
                     {"median_ns", "median", Unit::Duration},
                     {"longest_ns", "longest", Unit::Duration},
                     {"longest_rank", "on rank", Unit::Number},
                     {"long", "long", Unit::Flag}},
                    {}};
    const std::shared_ptr<const ChosenSteps>& chosen = run.run->chosen_steps;
    for (const TabledStep& step : chosen ? chosen->steps : std::vector<TabledStep>()) {
        table.rows.push_back({textCell(run.run->name), numberCell(step.number), chosen->reads(step.number),
                              numberCell(step.ranks), numberCell(step.complete), numberCell(step.median_ns),
                              numberCell(step.longest_ns), numberCell(step.longest_rank.value), step.is_long});
    }
    return table;
}

DataTable tabledRanksTable(const AnalysedRun& run) {
    DataTable table{"long_ranks",
                    {{"run", "run", Unit::Name},
                     {"rank", "rank", Unit::Number},
                     {"long_steps", "long steps", Unit::Count},
                     {"first_long", "first", Unit::Number},
                     {"last_long", "last", Unit::Number},
                     {"worst_step", "worst", Unit::Number},
                     {"worst_ns", "own time in it", Unit::Duration},
                     {"usual_ns", "usual own time", Unit::Duration},
                     {"excess_ns", "longer by, total", Unit::Duration},
                     {"cause", "main idle cause", Unit::Word}},
                    {}};
    const std::shared_ptr<const ChosenSteps>& chosen = run.run->chosen_steps;
    for (const TabledRank& rank : chosen ? chosen->long_ranks : std::vector<TabledRank>()) {
        table.rows.push_back({textCell(run.run->name), numberCell(rank.rank.value), numberCell(rank.long_steps),
                              numberCell(rank.first_long), numberCell(rank.last_long), numberCell(rank.worst_step),
                              numberCell(rank.worst_ns), numberCell(rank.typical_ns), numberCell(rank.excess_ns),
                              textCell(rank.cause)});
    }
    return table;
}

}  // namespace rankscope::report
