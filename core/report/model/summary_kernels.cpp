// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/format.h"
#include "core/report/model/summary.h"

namespace rankscope::report {
Table kernelTable(const AnalysedRun& run, std::size_t rows) {
    DurationNs busy_ns = 0;
    for (const RankFacts& facts : run.facts.ranks) {
        busy_ns += facts.kernels.device_busy_ns;
    }
    Table table;
    table.header = {"kernel or copy", "class", "calls", "total", "of device time", "mean", "min", "max"};
    table.left_columns = 2;
    const std::vector<RunKernel> kernels = kernelsOverRanks(*run.run, run.facts.ranks);
    for (std::size_t i = 0; i < std::min(rows, kernels.size()); ++i) {
        const KernelRow& row = kernels[i].all;
        const double share = busy_ns > 0 ? static_cast<double>(row.busy_ns) / static_cast<double>(busy_ns) : 0;
        table.rows.push_back({shortName(kernels[i].name), std::string(workClassName(row.work)), formatCount(row.calls),
                              formatDuration(row.total_ns), formatPercent(share), formatDuration(row.meanNs()),
                              formatDuration(row.min_ns), formatDuration(row.max_ns)});
    }
    return table;
}

}  // namespace rankscope::report
