// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <string_view>
#include <utility>

#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

/// `of_what` is appended to the titles of the times: what they are of, if the row does not show it.
std::vector<Column> pipelineColumns(std::vector<Column> columns, const std::string& of_what = {}) {
    const auto add = [&](std::string key, std::string_view title) {
        columns.push_back({std::move(key), std::string(title) + of_what, Unit::Duration});
    };
    add("forward_ns", "forward");
    add("backward_ns", "backward");
    add("weight_gradient_ns", "weight gradient");
    add("overlapped_ns", "both at once");
    add("other_ns", "other work");
    for (std::size_t i = 0; i < kBubbleCauses; ++i) {
        const auto cause = static_cast<BubbleCause>(i);
        add("bubble_" + std::string(bubbleCauseName(cause)) + "_ns", "bubble: " + std::string(bubbleCauseTitle(cause)));
    }
    add("outside_ns", "outside");
    add("beyond_ns", "beyond its step");
    columns.push_back({"bubble_share", "bubble", Unit::Share});
    return columns;
}

void putPipelineTimes(std::vector<Cell>& row, const PipelineTimes& times) {
    for (const DurationNs ns :
         {times.forward_ns, times.backward_ns, times.weight_gradient_ns, times.overlapped_ns, times.other_ns}) {
        row.emplace_back(ns);
    }
    for (const DurationNs ns : times.bubble) {
        row.emplace_back(ns);
    }
    row.emplace_back(times.outside_ns);
    row.emplace_back(times.beyond_ns);
    row.push_back(cellOf(shareOf(times.bubbleTotal(), times.window())));
}

/// The numbers of its ranks, like the members of a group; none if one has no number.
Cell ranksOfPipeline(const AnalysedRun& run, const Pipeline& pipeline) {
    std::vector<RankNumber> numbers;
    for (const RankPosition position : pipeline.ranks) {
        const std::optional<RankNumber>& rank = run.run->ranks[position]->rank;
        if (!rank) {
            return {};
        }
        numbers.push_back(*rank);
    }
    return textCell(numbersOf(numbers));
}

}  // namespace

DataTable pipelinesTable(const AnalysedRun& run) {
    DataTable table{"pipelines",
                    pipelineColumns({{"run", "run", Unit::Name},
                                     {"pipeline", "pipeline", Unit::Number},
                                     {"size", "ranks", Unit::Count},
                                     {"ranks", "members", Unit::Text},
                                     {"schedule", "schedule", Unit::Word},
                                     {"stages_per_rank", "stages per rank", Unit::Count},
                                     {"micro_batches", "micro-batches", Unit::Count},
                                     {"theory_share", "bubble of even stages", Unit::Share},
                                     {"counted_steps", "steps", Unit::Count}},
                                    ", sum of all ranks and steps"),
                    {}};
    for (std::size_t p = 0; p < run.facts.pipeline.pipelines.size(); ++p) {
        const Pipeline& pipeline = run.facts.pipeline.pipelines[p];
        const bool told = !pipeline.steps.empty();
        std::vector<Cell> row = {run.run->name,
                                 numberCell(p),
                                 numberCell(pipeline.size),
                                 ranksOfPipeline(run, pipeline),
                                 pipeline.schedule ? textCell(scheduleName(*pipeline.schedule)) : Cell(),
                                 told ? numberCell(pipeline.stages_per_rank) : Cell(),
                                 told ? numberCell(pipeline.micro_batches) : Cell(),
                                 cellOf(pipeline.theory),
                                 numberCell(pipeline.counted.size())};
        putPipelineTimes(row, pipeline.times());
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable stagesTable(const AnalysedRun& run) {
    DataTable table{"stages",
                    rankColumns({{"pipeline", "pipeline", Unit::Number},
                                 {"stage", "stage", Unit::Number},
                                 {"forward_ns", "forward", Unit::Duration},
                                 {"backward_ns", "backward", Unit::Duration},
                                 {"weight_gradient_ns", "weight gradient", Unit::Duration},
                                 {"pieces", "pieces of work", Unit::Count}}),
                    {}};
    for (std::size_t p = 0; p < run.facts.pipeline.pipelines.size(); ++p) {
        for (const StageTime& stage : run.facts.pipeline.pipelines[p].stage_times) {
            std::vector<Cell> row = {run.run->name};
            putRank(row, run, stage.rank);
            row.push_back(numberCell(p));
            row.push_back(numberCell(stage.stage));
            row.emplace_back(stage.of(PassKind::Forward));
            row.emplace_back(stage.of(PassKind::Backward));
            row.emplace_back(stage.of(PassKind::WeightGradient));
            row.push_back(numberCell(stage.pieces));
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

DataTable pipelineStepsTable(const AnalysedRun& run) {
    DataTable table{
        "pipeline_steps",
        rankColumns(pipelineColumns({{"pipeline", "pipeline", Unit::Number}, {"step", "step", Unit::Number}})),
        {}};
    for (std::size_t p = 0; p < run.facts.pipeline.pipelines.size(); ++p) {
        const Pipeline& pipeline = run.facts.pipeline.pipelines[p];
        for (const PipelineStep& step : pipeline.steps) {
            for (std::size_t r = 0; r < step.ranks.size(); ++r) {
                std::vector<Cell> row = {run.run->name};
                putRank(row, run, pipeline.ranks[r]);
                row.push_back(numberCell(p));
                row.emplace_back(run.facts.steps[step.step].index);
                putPipelineTimes(row, step.ranks[r].times);
                table.rows.push_back(std::move(row));
            }
        }
    }
    return table;
}

DataTable passesTable(const AnalysedRun& run) {
    DataTable table{"passes",
                    rankColumns({{"pipeline", "pipeline", Unit::Number},
                                 {"step", "step", Unit::Number},
                                 {"kind", "pass", Unit::Word},
                                 {"stage", "stage", Unit::Number},
                                 {"micro_batch", "micro-batch", Unit::Number},
                                 {"start_ns", "start", Unit::Duration},
                                 {"duration_ns", "length", Unit::Duration}}),
                    {}};
    for (std::size_t p = 0; p < run.facts.pipeline.pipelines.size(); ++p) {
        const Pipeline& pipeline = run.facts.pipeline.pipelines[p];
        for (const PipelineStep& step : pipeline.steps) {
            for (std::size_t r = 0; r < step.ranks.size(); ++r) {
                for (const PipelinePass& pass : step.ranks[r].passes) {
                    std::vector<Cell> row = {run.run->name};
                    putRank(row, run, pipeline.ranks[r]);
                    row.push_back(numberCell(p));
                    row.emplace_back(run.facts.steps[step.step].index);
                    row.push_back(textCell(passKindName(pass.kind)));
                    row.push_back(pass.stage >= 0 ? numberCell(pass.stage) : Cell());
                    row.push_back(pass.micro_batch >= 0 ? numberCell(pass.micro_batch) : Cell());
                    row.push_back(timeCell(run, pipeline.ranks[r], pass.span.start_ns));
                    row.emplace_back(pass.span.length());
                    table.rows.push_back(std::move(row));
                }
            }
        }
    }
    return table;
}

}  // namespace rankscope::report
