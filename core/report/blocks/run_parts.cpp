// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/report/blocks/parts.h"
#include "core/report/tables/bucket_tables.h"
#include "core/report/tables/communication.h"
#include "core/report/tables/memory_summary.h"
#include "core/report/tables/rank_statistics.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

constexpr RowLimit kGroups{12, "group"};
constexpr RowLimit kRanks{16, "rank"};
constexpr RowLimit kLateRanks{8, "rank"};
constexpr RowLimit kUnits{12, "row"};
constexpr RowLimit kLayers{12, "layer"};
constexpr RowLimit kUncounted{12, "kernel"};
constexpr RowLimit kKernels{10, "name", "--csv"};
constexpr std::size_t kFits = 8;
constexpr std::size_t kOperators = 12;
/// HTML shows up to this many rows; the CSV and the JSON report have all.
constexpr std::size_t kHtmlRows = 200;
constexpr std::size_t kHtmlUncounted = 20;

/// Adds a table and its note; adds nothing if the table has no rows.
void add(Part& part, Rows rows, std::string note = {}) {
    if (rows.table.rows.empty()) {
        return;
    }
    part.blocks.emplace_back(std::move(rows));
    if (!note.empty()) {
        part.blocks.emplace_back(Note{std::move(note)});
    }
}

Part partOf(std::string title, Rows rows, std::string note = {}) {
    Part part{std::move(title)};
    add(part, std::move(rows), std::move(note));
    return part;
}

Part timePart(const AnalysedRun& run, Format format) {
    Part part{"Where the step time goes"};
    if (Table partition = partitionTable(run); !partition.rows.empty()) {
        part.blocks = {Rows{std::move(partition)}, Subtitle{"Why the GPU is idle"}, Rows{causeTable(run)},
                       Note{mediansNote(run)}};
    } else if (format == Format::Text) {
        part.blocks = {Note{"No rank has GPU work in a step."}};
    }
    return part;
}

Part parallelismPart(const AnalysedRun& run) {
    Part part{"Parallelism"};
    if (run.facts.parallelism.groups.empty()) {
        return part;
    }
    part.blocks = {Points{gridLines(run)}, Rows{groupTable(run, kAllRows), kGroups},
                   Points{groupEvidence(run, kGroups.most)}};
    add(part, {roleTable(run, kAllRows), kRanks}, rolesNote());
    return part;
}

Part pipelinePart(const AnalysedRun& run) {
    Part part{"Pipelines"};
    if (!run.facts.pipeline.pipelines.empty()) {
        part.blocks = {Points{pipelineLines(run, kGroups.most)}};
        add(part, {pipelineTable(run, kAllRows), kRanks}, pipelineNote());
    }
    return part;
}

Part fitsPart(const AnalysedRun& run) {
    Part part{"Communication speed"};
    if (Table fits = fitTable(run, kFits); !fits.rows.empty()) {
        part.blocks = {Rows{std::move(fits)}, Note{fitNote()}, Points{fitLines(run, kFits), true}};
    } else if (!run.facts.collectives.collectives.empty()) {
        part.blocks = {Note{noFitText(run)}};
    }
    return part;
}

Part bucketsPart(const AnalysedRun& run) {
    Part part{"Gradient buckets"};
    if (run.diagnosis.buckets) {
        part.blocks = {Points{bucketLines(run)}};
        add(part, {bucketCaps(run)}, bucketNote());
    }
    return part;
}

Part memoryPart(const AnalysedRun& run) {
    Part part{"Memory"};
    if (!hasMemory(run)) {
        return part;
    }
    part.blocks = {Points{memoryLines(run), true}};
    for (Table& table : std::array{memoryTable(run, kRanks.most), memoryOperatorTable(run, kOperators),
                                   memoryCheckpointTable(run), memoryFormulaTable(run)}) {
        add(part, {std::move(table)});
    }
    if (std::string left_out = memoryLeftOut(run, kRanks.most, kOperators); !left_out.empty()) {
        part.blocks.emplace_back(Note{std::move(left_out)});
    }
    if (run.facts.memory.any()) {
        part.blocks.emplace_back(Note{memoryNote()});
    }
    return part;
}

Part kernelsPart(const AnalysedRun& run) {
    Part part{"GPU time by kernel"};
    if (Table kernels = kernelTable(run, kAllRows); !kernels.rows.empty()) {
        part.blocks = {Note{"Over the whole window and all ranks."}, Rows{std::move(kernels), kKernels}};
    }
    return part;
}

/// Text names the steps that are left out at its head.
Part healthPart(const AnalysedRun& run, Format format) {
    Part part{"Trace health"};
    std::vector<std::string> lines = healthLines(run);
    if (format != Format::Text) {
        std::ranges::move(leftOutSteps(run), std::back_inserter(lines));
    }
    if (!lines.empty()) {
        part.blocks = {Points{std::move(lines)}};
    }
    return part;
}

}  // namespace

Part shardsPart(const AnalysedRun& run) {
    Part part{"Shards"};
    if (run.facts.shards.any()) {
        part.blocks = {Points{shardLines(run)},
                       Rows{shardRankTable(run, kAllRows),
                            kRanks,
                            {"shard_ranks", "Exposed gathers and scatters by rank", kHtmlRows}},
                       Rows{shardUnitTable(run, kAllRows),
                            kUnits,
                            {"shard_units", "Exposed gathers and scatters by unit", kHtmlRows}},
                       Note{shardsNote()}};
    }
    return part;
}

Part expertsPart(const AnalysedRun& run) {
    Part part{"Experts"};
    if (run.facts.experts.any()) {
        part.blocks = {
            Points{expertLines(run)},
            Rows{expertTable(run, kAllRows), kRanks, {"expert_ranks", "Dispatch and combine by rank", kHtmlRows}},
            Note{dividedNote()}};
    }
    return part;
}

Part tensorPart(const AnalysedRun& run) {
    Part part{"Tensor and sequence parallelism"};
    if (!run.facts.tensor.any()) {
        return part;
    }
    part.blocks = {
        Points{tensorLines(run)},
        Rows{tensorTable(run, kAllRows), kUnits, {"tensor_sums", "Collectives of tensor-parallel layers", kHtmlRows}}};
    add(part, {tensorLayerTable(run, kAllRows), kLayers, {"tensor_layer_sums", "By layer", kHtmlRows}});
    part.blocks.emplace_back(Note{dividedNote()});
    return part;
}

Part iterationsPart(const AnalysedRun& run) {
    Part part{"Server iterations"};
    if (run.facts.iterations.any()) {
        part.blocks = {Points{iterationLines(run)},
                       Rows{iterationTable(run), {}, {"iteration_kinds", "Iterations by kind"}},
                       Note{iterationsNote()}};
    }
    return part;
}

Part efficiencyPart(const AnalysedRun& run, Format format) {
    Part part{"Efficiency"};
    if (std::vector<std::string> said = efficiencyLines(run); !said.empty()) {
        part.blocks = {Points{std::move(said)}};
    }
    if (!run.facts.efficiency.any()) {
        return part;
    }
    const RowLimit products{format == Format::Text ? std::size_t{8} : std::size_t{12}, "product"};
    part.blocks.insert(
        part.blocks.end(),
        {Rows{missingShareTable(run), {}, {"missing_share", "Where the GPU time went"}},
         Rows{efficiencyTable(run, kAllRows), kRanks, {"efficiency_ranks", "Efficiency by rank", kHtmlRows}},
         Rows{productTable(run, kAllRows), products, {"product_sums", "Products, longest first", kHtmlRows}}});
    if (format != Format::Text) {
        part.blocks.emplace_back(
            Rows{uncountedTable(run, kAllRows),
                 kUncounted,
                 {"uncounted_sums", "Kernels without counted FLOPs, longest first", kHtmlUncounted}});
    }
    part.blocks.emplace_back(Note{efficiencyNote()});
    return part;
}

Part rankStatisticsPart(const AnalysedRun& run) {
    return partOf("Statistics over ranks", {rankStatisticsText(run), {}, {"rank_statistics", "Statistics over ranks"}},
                  rankStatisticsNote());
}

Part untoldPart(const AnalysedRun& run) {
    Part part{"What these traces cannot show"};
    if (!run.diagnosis.cannot_tell.empty()) {
        part.blocks = {Untold{cannotTellByReason(run.diagnosis.cannot_tell)}};
    }
    return part;
}

std::vector<Part> runParts(const AnalysedRun& run, Format format) {
    const auto named = [](std::string_view key, Part part) {
        part.key = key;
        return part;
    };
    std::vector<Part> parts = {
        named("time", timePart(run, format)),
        named("phases", partOf("Phases of a step", {phaseTable(run)})),
        named("iterations", iterationsPart(run)),
        named("parallelism", parallelismPart(run)),
        named("pipelines", pipelinePart(run)),
        named("shards", shardsPart(run)),
        named("experts", expertsPart(run)),
        named("tensors", tensorPart(run)),
        named("efficiency", efficiencyPart(run, format)),
        named("communication", fitsPart(run)),
        named("overlap",
              partOf("Communication overlap", {overlapByRank(run, kRanks.most)}, overlapNote(run, kRanks.most))),
        named("buckets", bucketsPart(run)),
        named("ranks", rankStatisticsPart(run)),
        named("memory", memoryPart(run)),
        named("late-ranks", partOf("Late ranks", {latenessTable(run, kAllRows), kLateRanks}, latenessNote())),
        named("kernels", kernelsPart(run))};
    if (format == Format::Markdown) {
        for (const CheckList& list : checkListsOf(run)) {
            parts.push_back(checkListPart(list, format));
        }
    }
    parts.push_back(named("cannot-tell", untoldPart(run)));
    parts.push_back(named("health", healthPart(run, format)));
    return parts;
}

}  // namespace rankscope::report
