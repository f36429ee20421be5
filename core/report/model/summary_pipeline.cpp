// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/model/summary.h"

namespace rankscope::report {
namespace {

std::string howMany(std::int64_t count, std::string_view one) {
    return formatCounted(static_cast<std::uint64_t>(std::max<std::int64_t>(0, count)), one);
}

std::string timeAStep(DurationNs sum_ns, std::size_t steps) {
    return sum_ns > 0 && steps > 0 ? formatDuration(sum_ns / static_cast<DurationNs>(steps)) : "-";
}

std::string headOf(const AnalysedRun& run, const Pipeline& pipeline) {
    const std::string name = printable(run.facts.parallelism.groups[pipeline.group].label());
    const std::string ranks = rankList(*run.run, pipeline.ranks);
    if (pipeline.steps.empty()) {
        return fmt::format("{} ({}): {}.", name, ranks, howMany(pipeline.size, "rank"));
    }
    const std::string schedule =
        pipeline.schedule ? std::string(scheduleTitle(*pipeline.schedule)) : "a schedule that cannot be told";
    std::string text = fmt::format(
        "{} ({}): {}, {} a rank, {} a step, {}.", name, ranks, howMany(pipeline.size, "rank"),
        howMany(pipeline.stages_per_rank, "stage"),
        (pipeline.micro_batches == 1 ? "1 micro-batch" : std::to_string(pipeline.micro_batches) + " micro-batches"),
        schedule);
    // Other ranks may begin before and end after those that were opened: these stand still meanwhile.
    const bool whole = pipeline.ranks.size() >= static_cast<std::size_t>(pipeline.size);
    text += fmt::format(" Bubble{} {} of the time it is at work", whole ? ":" : " of these ranks: at least",
                        formatPercent(pipeline.bubbleShare()));
    text += pipeline.theory ? fmt::format("; {}{} if all stages took the same time.", formatPercent(*pipeline.theory),
                                          whole ? "" : " of all ranks")
                            : ".";
    return text;
}

/// How a step comes to be longer than the work in it.
std::string forecastOf(const Pipeline& pipeline) {
    const PipelineForecast& forecast = *pipeline.forecast;
    std::string text = fmt::format("Played by its schedule, a step takes {}; with stages of equal times {}",
                                   formatDuration(forecast.played_ns), formatDuration(forecast.even_ns));
    if (forecast.more_micro_batches_ns) {
        text += "; with twice as many micro-batches " + formatDuration(*forecast.more_micro_batches_ns) +
                " for the same work";
    }
    if (forecast.more_stages_ns) {
        text += fmt::format("; with {} a rank {}", howMany(std::int64_t{2} * pipeline.stages_per_rank, "stage"),
                            formatDuration(*forecast.more_stages_ns));
    }
    return text + ".";
}

}  // namespace

std::vector<std::string> pipelineLines(const AnalysedRun& run, std::size_t most) {
    const std::vector<Pipeline>& pipelines = run.facts.pipeline.pipelines;
    std::vector<std::string> lines;
    for (std::size_t p = 0; p < std::min(most, pipelines.size()); ++p) {
        lines.push_back(headOf(run, pipelines[p]));
        std::string why;
        for (const std::string& sentence : pipelines[p].evidence) {
            why += (why.empty() ? "" : " ") + sentence;
        }
        if (!why.empty()) {
            lines.push_back(why);
        }
        if (pipelines[p].forecast) {
            lines.push_back(forecastOf(pipelines[p]));
        }
        lines.insert(lines.end(), pipelines[p].notes.begin(), pipelines[p].notes.end());
    }
    if (most < pipelines.size()) {
        lines.push_back(fmt::format("And {} more pipelines, in --json.", formatCount(pipelines.size() - most)));
    }
    return lines;
}

Table pipelineTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    table.header = {"",        "stages", "forward",          "backward",  "other",
                    "warm-up", "drain",  "waits for stages", "hand-over", "bubble"};
    table.left_columns = 2;
    for (const Pipeline& pipeline : run.facts.pipeline.pipelines) {
        for (std::size_t r = 0; r < pipeline.ranks.size() && table.rows.size() < rows; ++r) {
            if (pipeline.steps.empty()) {
                continue;
            }
            const RankPosition rank = pipeline.ranks[r];
            std::vector<std::int64_t> stages;
            for (const StageTime& stage : pipeline.stage_times) {
                if (stage.rank == rank) {
                    stages.push_back(stage.stage);
                }
            }
            const PipelineTimes times = pipeline.timesOf(r);
            const std::size_t steps = pipeline.counted.size();
            const DurationNs window_ns = times.window();
            table.rows.push_back(
                {rankLabel(*run.run->ranks[rank], rank), stages.empty() ? "-" : formatNumberList(stages),
                 timeAStep(times.forward_ns, steps),
                 timeAStep(times.backward_ns + times.weight_gradient_ns + times.overlapped_ns, steps),
                 timeAStep(times.other_ns, steps), timeAStep(times.bubbleOf(BubbleCause::WarmUp), steps),
                 timeAStep(times.bubbleOf(BubbleCause::Drain), steps),
                 timeAStep(times.bubbleOf(BubbleCause::StageWait), steps),
                 timeAStep(times.bubbleOf(BubbleCause::HandOver), steps),
                 window_ns > 0
                     ? formatPercent(static_cast<double>(times.bubbleTotal()) / static_cast<double>(window_ns))
                     : "-"});
        }
    }
    return table;
}

std::string pipelineNote() {
    return "From the first pass of any stage to the last, the mean of the counted steps. The bubble is the time in "
           "which a rank runs no pass and its device does nothing else. Backward holds passes that work out the "
           "gradients of weights alone too, and those in which a forward and a backward run at once.";
}

}  // namespace rankscope::report
