// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/html/transfer_chart.h"
#include "core/report/tables/communication.h"

namespace rankscope::report {
namespace {

/// More than these are in the CSV and the JSON report.
constexpr std::size_t kLinkRows = 200;
constexpr std::size_t kLinkCharts = 12;

std::string fitsHtml(const AnalysedRun& run) {
    const std::vector<FittedLink> links = fittedLinks(run);
    if (links.empty()) {
        return run.facts.collectives.collectives.empty() ? std::string() : paragraph(noFitText(run));
    }
    std::string charts;
    for (std::size_t i = 0; i < std::min(kLinkCharts, links.size()); ++i) {
        charts += transferChart(run.facts.collectives.fits[i], fitTitle(run, links[i]));
    }
    return htmlTable(transferFitsTable(run).only({"kind", "group_name", "link", "ranks", "sizes", "samples",
                                                  "latency_ns", "bus_gb_per_s", "r2", "mean_error", "largest_error",
                                                  "link_gb_per_s", "efficiency", "link_source"}),
                     "Latency and bandwidth by kind of collective, group and link", kLinkRows) +
           paragraph(fitNote(), "note") + element("div", " class=\"transfers\"", "\n" + charts) + "\n" +
           bulletList(fitLines(run, kLinkRows)) +
           folded("Measured and predicted",
                  htmlTable(transferSizesTable(run).only(
                                {"fit", "kind", "bytes", "samples", "transfer_ns", "fitted_ns", "error", "mark"}),
                            "Transfer time by size", kLinkRows),
                  false) +
           folded("Ring and tree, by size and number of ranks",
                  htmlTable(predictionsTable(run).only(
                                {"fit", "kind", "ranks", "bytes", "ring_ns", "tree_ns", "direct_ns", "better"}),
                            "Predicted time of ring and tree", kLinkRows),
                  false);
}

std::string overlapHtml(const AnalysedRun& run) {
    const Table by_rank = overlapByRank(run, kLinkRows);
    if (by_rank.rows.empty()) {
        return {};
    }
    return "<h3>Communication overlap</h3>\n" +
           htmlTable(asData(by_rank, "overlap_by_rank"), "Hidden and exposed communication by rank") +
           paragraph(overlapNote(run, kLinkRows), "note") +
           folded(
               "Each step",
               htmlTable(forPage(overlapTable(run), {"rank", "step", "duration_ns", "hidden_comm_ns", "exposed_comm_ns",
                                                     "overlap_efficiency", "best_step_ns", "worst_step_ns"}),
                         "Hidden and exposed communication by rank and step", kLinkRows),
               false);
}

}  // namespace

Section communicationSection(const AnalysedRun& run) {
    return {"communication", "Communication speed", fitsHtml(run) + overlapHtml(run)};
}

}  // namespace rankscope::report
