// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"

namespace rankscope::report {

Section clocksSection(const AnalysedRun& run) {
    return {"clocks", "Clocks",
            htmlTable(forPage(clocksTable(run),
                              {"rank", "host", "method", "offset_ns", "drift_ppm", "uncertainty_ns", "matches"}),
                      "From each rank's clock to the run's clock") +
                paragraph("The offset is added to the times of a rank's file. A dash: the uncertainty is not known.",
                          "note")};
}

Section healthSection(const AnalysedRun& run) {
    const std::vector<std::string> lines = healthLines(run);
    return {"health", "Trace health",
            (lines.empty() ? paragraph("Nothing is missing or wrong.") : bulletList(lines)) +
                folded("Data read of each rank",
                       htmlTable(
                           forPage(healthTable(run), {"rank", "events", "slices", "skipped", "recovered", "overlapping",
                                                      "negative_durations", "early_kernels", "unlinked_launches",
                                                      "unlinked_device", "time_resolution_ns", "truncated"}),
                           "Data read of each rank"),
                       false)};
}

}  // namespace rankscope::report
