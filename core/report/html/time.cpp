// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/report/html/charts.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/html/table.h"
#include "core/report/model/run_tables.h"
#include "core/report/model/summary.h"

namespace rankscope::report {
namespace {

/// The columns of the table of ranks that say what their devices are idle for, without the causes that none has.
DataTable idleMedians(const DataTable& ranks) {
    const DataTable table = ranks.withoutEmpty("median_idle_");
    std::vector<std::string_view> keys = {"rank", "median_idle_ns"};
    for (const Column& column : table.columns) {
        if (column.key.starts_with("median_idle_") && column.key != "median_idle_ns") {
            keys.push_back(column.key);
        }
    }
    return forPage(table, keys);
}

}  // namespace

Section timeSection(const AnalysedRun& run) {
    const RunStep* typical = typicalStep(run.facts);
    const std::string bars = typical == nullptr ? "" : stepAcrossRanks(run, *typical);
    if (bars.empty()) {
        return {"time", "Where the time of a step goes", paragraph("No rank has device work in a step.")};
    }
    const DataTable ranks = ranksTable(run);
    std::string out = partsLegend(run);
    out += element("h3", "",
                   fmt::format("Step {}, {}, rank by rank", typical->index,
                               run.facts.median_step_ns > 0 ? "the median step" : "the first step"));
    out += "\n" + bars;
    if (run.facts.steps.size() > 1) {
        out += "<h3>All steps of each rank</h3>\n" + stepsOfEachRank(run);
    }
    out += "<h3>Medians of the ranks</h3>\n" +
           htmlTable(forPage(ranks.withoutEmpty("median_exposed_"),
                             {"rank", "steady_steps", "steps", "median_step_ns", "median_compute_ns",
                              "median_exposed_comm_ns", "median_exposed_transfer_ns", "median_exposed_wait_ns",
                              "median_exposed_copy_ns", "median_idle_ns", "median_overlap_share", "median_busy_share"}),
                     "Medians of the ranks") +
           "<h3>What the devices are idle for</h3>\n" +
           htmlTable(idleMedians(ranks), "What the devices are idle for: medians of the ranks") +
           paragraph(mediansNote(run), "note");
    return {"time", "Where the time of a step goes", out};
}

Section stepsSection(const AnalysedRun& run) {
    const std::string chart = run.facts.steps.size() > 1 ? stepTimes(run) : "";
    std::string out = chart + bulletList(leftOutSteps(run));
    if (!run.facts.steps.empty()) {
        out += folded("Every step of every rank",
                      htmlTable(forPage(stepsTable(run),
                                        {"step", "rank", "start_ns", "duration_ns", "compute_ns", "exposed_comm_ns",
                                         "exposed_copy_ns", "idle_ns", "complete", "outlier"}),
                                "Every step of every rank"),
                      false);
    }
    return {"steps", "Steps", out};
}

}  // namespace rankscope::report
