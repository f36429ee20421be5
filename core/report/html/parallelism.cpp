// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/run_tables.h"
#include "core/report/model/summary.h"

namespace rankscope::report {
namespace {

/// More rows than these are in the CSV and the JSON report.
constexpr std::size_t kRows = 200;

}  // namespace

Section parallelismSection(const AnalysedRun& run) {
    const ParallelismFacts& facts = run.facts.parallelism;
    if (facts.groups.empty()) {
        return {"parallelism", "How the work is divided", {}};
    }
    std::string content = bulletList(gridLines(run));
    content += htmlTable(groupsTable(run).only({"group", "name", "description", "role", "confidence", "by_user", "size",
                                                "operations", "exposed_comm_ns"}),
                         "What each process group is for", kRows);
    content += folded("Why", bulletList(groupEvidence(run, kRows)), false);
    if (!roleTable(run, 1).rows.empty()) {
        const DataTable places = placesTable(run).withoutEmpty("exposed_");
        std::vector<std::string_view> keys = {"rank", "place", "counted_steps"};
        for (const Column& column : places.columns) {
            if (column.key.starts_with("exposed_")) {
                keys.push_back(column.key);
            }
        }
        content += htmlTable(forPage(places, keys), "Each rank's place, and its exposed communication by role", kRows);
        content += paragraph(
            "Sums over each rank's complete, steady-state steps. Where two collectives run at once, the "
            "time is that of the one that ends last.",
            "note");
    }
    return {"parallelism", "How the work is divided", content};
}

}  // namespace rankscope::report
