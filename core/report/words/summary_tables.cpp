// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/steps/phase_statistics.h"
#include "core/analysis/steps/run_steps.h"
#include "core/analysis/verdict_words.h"
#include "core/base/format.h"
#include "core/report/tables/step_medians.h"
#include "core/report/words/summary.h"
#include "core/report/words/vocabulary.h"

namespace rankscope::report {
namespace {

constexpr const char* kNone = "-";

std::string percentOr(const std::optional<double>& share) {
    return share ? formatPercent(*share) : kNone;
}

std::string durationOr(const std::optional<DurationNs>& ns) {
    return ns ? formatDuration(*ns) : kNone;
}

/// The medians of every rank that has device work, with its position.
struct RankRow {
    RankPosition position;
    StepMedians medians;
};

std::vector<RankRow> rowsWithDevice(const AnalysedRun& run) {
    std::vector<RankRow> rows;
    for (RankPosition position{0}; position < run.facts.ranks.size(); ++position) {
        if (auto medians = pricedMedians(run.facts, position); medians && medians->partition) {
            rows.push_back({position, *medians});
        }
    }
    return rows;
}

std::string rowName(const AnalysedRun& run, const RankRow& row) {
    return rankLabel(*run.run->ranks[row.position], row.position) + (row.medians.over_all ? " *" : "");
}

/// Exposed communication that cannot be divided into transfer and waiting: all of it on a rank with neither.
DurationNs undividedOf(const RankRow& row) {
    const Partition& part = *row.medians.partition;
    return part.exposed_transfer_ns ? part.exposed_unsplit_ns.value_or(0) : part.exposed_comm_ns;
}

}  // namespace

Table partitionTable(const AnalysedRun& run) {
    const std::vector<RankRow> rows = rowsWithDevice(run);
    // Transfer and waiting can be separated only if collectives are matched over ranks.
    const bool split = std::ranges::any_of(
        rows, [](const RankRow& row) { return row.medians.partition->exposed_transfer_ns.has_value(); });
    constexpr double kLeast = 0.01;  // as a share of the step, like a finding
    const bool undivided = split && std::ranges::any_of(rows, [](const RankRow& row) {
                               const auto step_ns = static_cast<double>(row.medians.duration_ns);
                               return static_cast<double>(undividedOf(row)) > kLeast * step_ns;
                           });
    Table table;
    table.header = {"", "steps", "step", "compute", "exposed comm"};
    if (split) {
        table.header.insert(table.header.end(), {"(transfer)", "(waiting)"});
    }
    if (undivided) {
        table.header.emplace_back("(not divided)");
    }
    table.header.insert(table.header.end(), {"exposed copy", "idle", "comm overlapped", "GPU busy"});
    for (const RankRow& row : rows) {
        const StepMedians& medians = row.medians;
        const Partition& part = *medians.partition;
        std::vector<std::string> cells = {rowName(run, row), fmt::format("{} of {}", medians.steady, medians.steps),
                                          formatDuration(medians.duration_ns), formatDuration(part.compute_ns),
                                          formatDuration(part.exposed_comm_ns)};
        if (split) {
            cells.insert(cells.end(), {durationOr(part.exposed_transfer_ns), durationOr(part.exposed_wait_ns)});
        }
        if (undivided) {
            cells.push_back(formatDuration(undividedOf(row)));
        }
        cells.insert(cells.end(), {formatDuration(part.exposed_copy_ns), formatDuration(part.idle_ns),
                                   percentOr(medians.overlap), percentOr(medians.utilisation)});
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table causeTable(const AnalysedRun& run) {
    const std::vector<RankRow> rows = rowsWithDevice(run);
    Table table;
    table.header = {"", "idle"};
    std::vector<Cause> causes;
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        const auto cause = static_cast<Cause>(i);
        if (std::ranges::any_of(rows, [cause](const RankRow& row) { return row.medians.idle_causes[cause] > 0; })) {
            causes.push_back(cause);
            table.header.emplace_back(causeName(cause));
        }
    }
    for (const RankRow& row : rows) {
        std::vector<std::string> cells = {rowName(run, row), formatDuration(row.medians.partition->idle_ns)};
        for (const Cause cause : causes) {
            const DurationNs ns = row.medians.idle_causes[cause];
            cells.push_back(ns > 0 ? formatDuration(ns) : kNone);
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string mediansNote(const AnalysedRun& run, std::string_view without_steady) {
    std::string note =
        run.facts.basis == StepBasis::Mean
            ? "Means over the complete, steady-state steps: they are few and differ, or too many are long to leave out."
            : "Medians over the complete, steady-state steps, column by column, so they need not add up.";
    const auto first = std::ranges::find_if(run.facts.steps, isSteady);
    // With damaged times, steps may be steady and have zero length: then none has a price.
    const std::vector<const RunStep*> priced = pricedSteps(run.facts.steps);
    if (!priced.empty() && priced.front() != &*first) {
        note += " As in the prices, the first step is left out: the window starts in the middle of earlier work.";
    }
    if (std::ranges::any_of(rowsWithDevice(run), [](const RankRow& row) { return row.medians.over_all; })) {
        note += " " + std::string(without_steady);
    }
    return note;
}

namespace {

std::string rangeText(const Statistics& statistics) {
    if (statistics.min_ns == statistics.max_ns) {
        return formatDuration(statistics.median_ns);
    }
    return formatDuration(statistics.median_ns) + " (" + formatDuration(statistics.min_ns) + " to " +
           formatDuration(statistics.max_ns) + ")";
}

}  // namespace

std::string verdictLine(const RunFacts& facts) {
    const std::string beside = besidePathText(facts);
    return "Critical path: " + facts.verdict.rule + (beside.empty() ? "" : " " + beside);
}

Table phaseTable(const AnalysedRun& run) {
    const bool device = std::ranges::any_of(run.facts.ranks, [](const RankFacts& rank) { return rank.device >= 0; });
    Table table;
    // The times are of the median rank in its median step, the shares of all steps of all ranks.
    table.header = {"", "CPU, median rank", "of all steps"};
    if (device) {
        table.header.insert(table.header.end(), {"GPU, median rank", "of all steps"});
    }
    for (std::size_t p = 0; p < kPhaseCount; ++p) {
        const auto phase = static_cast<Phase>(p);
        const auto statistics = phaseStatisticsOverRanks(run.facts.ranks, phase);
        if (!statistics) {
            continue;
        }
        std::vector<std::string> cells = {std::string(phaseName(phase)), rangeText(statistics->host),
                                          formatPercent(statistics->host_share)};
        if (device) {
            cells.insert(cells.end(), {rangeText(statistics->device), formatPercent(statistics->device_share)});
        }
        table.rows.push_back(std::move(cells));
    }
    // The rest alone says nothing.
    if (table.rows.size() == 1) {
        table.rows.clear();
    }
    return table;
}

Table kernelTable(const AnalysedRun& run, std::size_t rows) {
    DurationNs busy_ns = 0;
    for (const RankFacts& facts : run.facts.ranks) {
        busy_ns += facts.kernels.device_busy_ns;
    }
    Table table;
    table.header = {"kernel or copy", "class", "calls", "total", "of GPU time", "mean", "min", "max"};
    table.left_columns = 2;
    const std::vector<RunKernel> kernels = kernelsOverRanks(*run.run, run.facts.ranks);
    for (std::size_t i = 0; i < std::min(rows, kernels.size()); ++i) {
        const KernelRow& row = kernels[i].all;
        const double share = busy_ns > 0 ? static_cast<double>(row.busy_ns) / static_cast<double>(busy_ns) : 0;
        table.rows.push_back({shortName(kernels[i].name), std::string(workClassName(row.work)), formatCount(row.calls),
                              formatDuration(row.total_ns), formatPercent(share), formatDuration(row.meanNs()),
                              formatDuration(row.min_ns), formatDuration(row.max_ns)});
    }
    return table;
}

}  // namespace rankscope::report
