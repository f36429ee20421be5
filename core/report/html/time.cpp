// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/analysis/steps/typical_run_step.h"
#include "core/analysis/tables/kernels.h"
#include "core/report/html/charts.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

/// The typical step of each rank, and why its device is idle.
std::string typicalSteps(const AnalysedRun& run) {
    const DataTable ranks = typicalStepsTable(run);
    const std::string_view what = run.facts.basis == StepBasis::Mean ? "Means of the ranks" : "Medians of the ranks";
    return element("h3", "", what) + "\n" +
           htmlTable(forPage(ranks.withoutEmpty("exposed_"),
                             {"rank", "counted_steps", "steps", "step_ns", "compute_ns", "exposed_comm_ns",
                              "exposed_transfer_ns", "exposed_wait_ns", "exposed_unsplit_ns", "exposed_copy_ns",
                              "idle_ns", "overlap_share", "busy_share"}),
                     what) +
           "<h3>Why the GPUs are idle</h3>\n" +
           htmlTable(forPage(ranks, {"rank", "idle_ns"}, "cause_"),
                     fmt::format("Why the GPUs are idle: {}s of the ranks", stepBasisName(run.facts.basis))) +
           paragraph(mediansNote(run, "A rank with 0 counted steps is shown with all its steps."), "note");
}

}  // namespace

Section timeSection(const AnalysedRun& run) {
    const std::vector<RunStep>& steps = run.facts.steps;
    const std::optional<RunStepPosition> typical = typicalRunStep(run.facts);
    const RunStepPosition drawn = typical.value_or(RunStepPosition());  // if none is complete, the first
    const std::string bars = steps.empty() ? "" : stepAcrossRanks(run, steps[drawn]);
    if (bars.empty()) {
        return {"time", "Where the step time goes", paragraph("No rank has GPU work in a step.")};
    }
    std::string out = partsLegend(run);
    out += element(
        "h3", "",
        fmt::format("Step {}, {}, rank by rank", steps[drawn].index, typical ? "a typical step" : "the first step"));
    out += "\n" + bars;
    if (run.facts.steps.size() > 1) {
        out += "<h3>All steps of each rank</h3>\n" + stepsOfEachRank(run);
    }
    return {"time", "Where the step time goes", out + typicalSteps(run)};
}

Section stepsSection(const AnalysedRun& run) {
    const std::string chart = run.facts.steps.size() > 1 ? stepTimes(run) : "";
    std::string out = chart + bulletList(leftOutSteps(run));
    if (!run.facts.steps.empty()) {
        out += folded(
            "Every step of every rank",
            htmlTable(forPage(stepsTable(run), {"step", "rank", "kind", "start_ns", "duration_ns", "compute_ns",
                                                "exposed_comm_ns", "exposed_copy_ns", "idle_ns", "complete", "outlier"})
                          .withoutEmpty("kind"),
                      "Every step of every rank"),
            false);
    }
    return {"steps", "Steps", out};
}

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
                paragraph("Times are the median of the ranks, with the range in brackets. Shares are of all steps of "
                          "all ranks. Phases may overlap, so their shares need not add up to the step.",
                          "note") +
                folded("Phases of each rank, over its steady-state steps", htmlTable(by_rank, "Phases of each rank"),
                       false)};
}

namespace {

/// The longest kernels and copies over all ranks.
DataTable longestKernels(const AnalysedRun& run, std::size_t shown) {
    DataTable table{"kernels_over_ranks",
                    {{"name", "kernel or copy", Unit::Name},
                     {"class", "class", Unit::Word},
                     {"calls", "calls", Unit::Count},
                     {"busy_ns", "busy", Unit::Duration},
                     {"share", "of GPU time", Unit::Share},
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
        return {"kernels", "GPU time by kernel", {}};
    }
    return {"kernels", "GPU time by kernel", htmlTable(kernels, "Kernels and copies by GPU time, over all ranks")};
}

}  // namespace rankscope::report
