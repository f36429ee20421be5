// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/blocks/parts.h"
#include "core/report/html/elements.h"
#include "core/report/html/printer.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

/// More rows than these are in the CSV and the JSON report.
constexpr std::size_t kShardRows = 200;

}  // namespace

Section shardsSection(const AnalysedRun& run) {
    Section section = sectionOf("shards", shardsPart(run));
    if (!section.content.empty()) {
        section.content +=
            folded("Each gather and scatter",
                   htmlTable(forPage(shardPartsTable(run), {"rank", "step", "unit", "operation", "phase", "launched_ns",
                                                            "start_ns", "duration_ns", "use_waited_ns", "wait_ns",
                                                            "wait_cause", "transfer_ns", "transfer_cause"}),
                             "Gathers and scatters by rank", kShardRows),
                   false);
    }
    return section;
}

}  // namespace rankscope::report
