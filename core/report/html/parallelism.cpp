// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

/// More rows than these are in the CSV and the JSON report.
constexpr std::size_t kRows = 200;

}  // namespace

Section parallelismSection(const AnalysedRun& run) {
    const ParallelismFacts& facts = run.facts.parallelism;
    if (facts.groups.empty()) {
        return {"parallelism", "Parallelism", {}};
    }
    std::string content = bulletList(gridLines(run));
    content += htmlTable(groupsTable(run).only({"group", "name", "description", "role", "confidence", "by_user", "size",
                                                "operations", "exposed_comm_ns"}),
                         "Role of each process group", kRows);
    content += folded("Why", bulletList(groupEvidence(run, kRows)), false);
    if (!roleTable(run, 1).rows.empty()) {
        content += htmlTable(forPage(placesTable(run), {"rank", "place", "counted_steps"}, "exposed_"),
                             "Each rank's place, and its exposed communication by role", kRows);
        content += paragraph(
            "Sums over each rank's complete, steady-state steps. If two collectives run at once, the time counts for "
            "the one that ends last.",
            "note");
    }
    return {"parallelism", "Parallelism", content};
}

}  // namespace rankscope::report
