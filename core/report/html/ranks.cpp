// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/model/run_tables.h"
#include "core/report/model/summary.h"

namespace rankscope::report {

Section clocksSection(const AnalysedRun& run) {
    return {"clocks", "Clocks",
            htmlTable(forPage(clocksTable(run),
                              {"rank", "host", "method", "offset_ns", "drift_ppm", "uncertainty_ns", "matches"}),
                      "What carries each rank's times to the run's clock") +
                paragraph("The offset is what is added to the times of a rank's file; a dash says that the uncertainty "
                          "is not known.",
                          "note")};
}

Section healthSection(const AnalysedRun& run) {
    const std::vector<std::string> lines = healthLines(run);
    return {"health", "Trace health",
            (lines.empty() ? paragraph("Nothing is missing or wrong.") : bulletList(lines)) +
                folded("What was read of each rank",
                       htmlTable(
                           forPage(healthTable(run), {"rank", "events", "slices", "skipped", "recovered", "overlapping",
                                                      "negative_durations", "early_kernels", "unlinked_launches",
                                                      "unlinked_device", "time_resolution_ns", "truncated"}),
                           "What was read of each rank"),
                       false)};
}

}  // namespace rankscope::report
