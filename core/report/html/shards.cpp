// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/cut_table.h"
#include "core/report/model/run_tables.h"
#include "core/report/model/summary.h"

namespace rankscope::report {
namespace {

/// More rows than these are in the CSV and the JSON report.
constexpr std::size_t kShardRows = 200;

}  // namespace

Section shardsSection(const AnalysedRun& run) {
    if (!run.facts.shards.any()) {
        return {"shards", "Shards", {}};
    }
    std::string content = bulletList(shardLines(run));
    content += htmlTable(asData(shardRankTable(run, kAllRows), "shard_ranks"), "Exposed gathers and scatters by rank",
                         kShardRows);
    content += htmlTable(asData(shardUnitTable(run, kAllRows), "shard_units"), "Exposed gathers and scatters by unit",
                         kShardRows);
    content += paragraph(shardsNote(), "note");
    content +=
        folded("Each gather and scatter",
               htmlTable(forPage(shardPartsTable(run), {"rank", "step", "unit", "operation", "phase", "launched_ns",
                                                        "start_ns", "duration_ns", "use_waited_ns", "wait_ns",
                                                        "wait_cause", "transfer_ns", "transfer_cause"}),
                         "Gathers and scatters by rank", kShardRows),
               false);
    return {"shards", "Shards", content};
}

}  // namespace rankscope::report
