// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/cut_table.h"
#include "core/report/model/run_tables.h"
#include "core/report/model/summary.h"

namespace rankscope::report {
namespace {

/// More rows than these are in the CSV and the JSON report.
constexpr std::size_t kEfficiencyRows = 200;
constexpr std::size_t kUncountedRows = 20;

}  // namespace

Section efficiencySection(const AnalysedRun& run) {
    std::string content = bulletList(efficiencyLines(run));
    if (run.facts.efficiency.any()) {
        content += htmlTable(asData(missingShareTable(run), "missing_share"), "What became of the device's time");
        content += htmlTable(asData(efficiencyTable(run, kAllRows), "efficiency_ranks"), "Work and use by rank",
                             kEfficiencyRows);
        content +=
            htmlTable(asData(productTable(run, kAllRows), "product_sums"), "Products, longest first", kEfficiencyRows);
        content += htmlTable(asData(uncountedTable(run, kAllRows), "uncounted_sums"),
                             "Kernels without counted FLOPs, longest first", kUncountedRows);
        content += paragraph(efficiencyNote(), "note");
    }
    return {"efficiency", "Efficiency", content};
}

}  // namespace rankscope::report
