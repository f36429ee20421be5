// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/analysis/tables/kernels.h"
#include "core/report/html/sections.h"
#include "core/report/html/table.h"

namespace rankscope::report {
namespace {

/// The longest kernels and copies, all ranks together.
DataTable longestKernels(const AnalysedRun& run, std::size_t shown) {
    DataTable table{"kernels_over_ranks",
                    {{"name", "kernel or copy", Unit::Name},
                     {"class", "class", Unit::Word},
                     {"calls", "calls", Unit::Count},
                     {"busy_ns", "busy", Unit::Duration},
                     {"share", "of device time", Unit::Share},
                     {"mean_ns", "mean", Unit::Duration},
                     {"min_ns", "min", Unit::Duration},
                     {"max_ns", "max", Unit::Duration}},
                    {}};
    DurationNs all_ns = 0;
    for (const RankFacts& rank : run.facts.ranks) {
        all_ns += rank.kernels.device_busy_ns;
    }
    const std::vector<RunKernel> kernels = kernelsOverRanks(*run.run, run.facts.ranks);
    for (std::size_t i = 0; i < std::min(kernels.size(), shown); ++i) {
        const KernelRow& all = kernels[i].all;
        const double share = all_ns > 0 ? static_cast<double>(all.busy_ns) / static_cast<double>(all_ns) : 0.0;
        table.rows.push_back({textCell(kernels[i].name), std::string(workClassName(all.work)), numberCell(all.calls),
                              all.busy_ns, share, all.meanNs(), all.min_ns, all.max_ns});
    }
    return table;
}

}  // namespace

Section kernelsSection(const AnalysedRun& run) {
    constexpr std::size_t kShown = 20;
    const DataTable kernels = longestKernels(run, kShown);
    if (kernels.rows.empty()) {
        return {"kernels", "Device time by kernel", {}};
    }
    return {"kernels", "Device time by kernel",
            htmlTable(kernels, "Kernels and copies by device time, over all ranks")};
}

}  // namespace rankscope::report
