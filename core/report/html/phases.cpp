// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/html/table.h"
#include "core/report/model/run_tables.h"
#include "core/report/model/summary.h"

namespace rankscope::report {
Section phasesSection(const AnalysedRun& run) {
    const Table over_ranks = phaseTable(run);
    if (over_ranks.rows.empty()) {
        return {"phases", "Phases of a step", {}};
    }
    const DataTable by_rank = forPage(phaseStatisticsTable(run),
                                      {"phase", "rank", "host_median_ns", "host_min_ns", "host_max_ns", "host_share",
                                       "device_median_ns", "device_min_ns", "device_max_ns", "device_share"});
    return {"phases", "Phases of a step",
            htmlTable(asData(over_ranks, "phases_over_ranks"), "Phases of a step: the median of the ranks") +
                paragraph("The median of the ranks, and in brackets from the least to the most. Phases may run beside "
                          "one another, so that their shares need not add up to the step.",
                          "note") +
                folded("Phases of each rank, over its steady-state steps", htmlTable(by_rank, "Phases of each rank"),
                       false)};
}

}  // namespace rankscope::report
