// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <tuple>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

std::string howMany(std::int64_t count, std::string_view one) {
    return formatCounted(static_cast<std::uint64_t>(std::max<std::int64_t>(0, count)), one);
}

std::string timeAStep(DurationNs sum_ns, std::size_t steps) {
    return sum_ns > 0 && steps > 0 ? formatDuration(sum_ns / static_cast<DurationNs>(steps)) : "-";
}

/// Pipelines that share their lines, in their order; at least one.
using PipelinesAlike = std::vector<const Pipeline*>;

/// Whether both have the same text, except for their ranks and for measured figures. Theory counts as measured if it is
/// simulated from measured times.
bool areAlike(const Pipeline& a, const Pipeline& b) {
    const auto forecasts = [](const Pipeline& pipeline) {
        const std::optional<PipelineForecast>& forecast = pipeline.forecast;
        return std::tuple(forecast.has_value(), forecast && forecast->more_micro_batches_ns.has_value(),
                          forecast && forecast->more_stages_ns.has_value());
    };
    return a.size == b.size && a.ranks.size() == b.ranks.size() && a.steps.empty() == b.steps.empty() &&
           a.stages_per_rank == b.stages_per_rank && a.micro_batches == b.micro_batches && a.schedule == b.schedule &&
           a.folded == b.folded && a.theory.has_value() == b.theory.has_value() && forecasts(a) == forecasts(b) &&
           a.evidence == b.evidence && a.notes == b.notes;
}

std::vector<PipelinesAlike> alikeTogether(const std::vector<Pipeline>& pipelines) {
    std::vector<PipelinesAlike> groups;
    for (const Pipeline& pipeline : pipelines) {
        const auto at = std::ranges::find_if(
            groups, [&](const PipelinesAlike& group) { return areAlike(*group.front(), pipeline); });
        if (at == groups.end()) {
            groups.push_back({&pipeline});
        } else {
            at->push_back(&pipeline);
        }
    }
    return groups;
}

/// "ranks 0 to 3; ranks 4 to 7; and 6 more".
std::string ranksOf(const AnalysedRun& run, const PipelinesAlike& alike) {
    constexpr std::size_t kNamed = 4;
    const std::size_t named = alike.size() > kNamed ? kNamed - 1 : alike.size();
    std::string text;
    for (std::size_t i = 0; i < named; ++i) {
        text += (text.empty() ? "" : "; ") + rankList(*run.run, alike[i]->ranks);
    }
    return named < alike.size() ? text + "; and " + formatCount(alike.size() - named) + " more" : text;
}

/// The pipelines: "pp (ranks 0 to 3): 4 ranks", or "8 similar pipelines (pp), ranks 0 to 3; ...: 4 ranks each".
std::string whoOf(const AnalysedRun& run, const PipelinesAlike& alike) {
    const auto name_of = [&run](const Pipeline* pipeline) {
        return printable(run.facts.parallelism.groups[pipeline->group].label());
    };
    const std::string name = name_of(alike.front());
    const std::string size = howMany(alike.front()->size, "rank");
    if (alike.size() == 1) {
        return fmt::format("{} ({}): {}", name, ranksOf(run, alike), size);
    }
    const bool of_one_name =
        std::ranges::all_of(alike, [&](const Pipeline* pipeline) { return name_of(pipeline) == name; });
    return fmt::format("{} similar pipelines{}, {}: {} each", formatCount(alike.size()),
                       of_one_name ? " (" + name + ")" : "", ranksOf(run, alike), size);
}

/// The range over similar pipelines: "28 %", or "11.6 % to 11.7 %" if they differ.
template <class Value, class Format>
std::string rangeOf(const PipelinesAlike& alike, const Value& value, const Format& format) {
    const auto [least, most] = std::ranges::minmax(alike | std::views::transform(value));
    const std::string from = format(least);
    const std::string to = format(most);
    return from == to ? to : from + " to " + to;
}

std::string headOf(const AnalysedRun& run, const PipelinesAlike& alike) {
    const Pipeline& pipeline = *alike.front();
    const std::string who = whoOf(run, alike);
    if (pipeline.steps.empty()) {
        return who + ".";
    }
    const std::string schedule =
        pipeline.schedule ? std::string(scheduleTitle(*pipeline.schedule)) : "unknown schedule";
    std::string text = fmt::format(
        "{}, {} per rank, {} per step, {}.", who, howMany(pipeline.stages_per_rank, "stage"),
        (pipeline.micro_batches == 1 ? "1 micro-batch" : std::to_string(pipeline.micro_batches) + " micro-batches"),
        schedule);
    const auto share = [](const Pipeline* one) { return one->bubbleShare(); };
    const auto percent = [](double value) { return formatPercent(value); };
    const Pipeline* const worst = *std::ranges::max_element(alike, {}, share);
    const Pipeline* const best = *std::ranges::min_element(alike, {}, share);
    const bool differ = percent(share(worst)) != percent(share(best));
    // Ranks that were not opened may begin earlier and end later; the opened ones are idle then.
    const bool whole = pipeline.whole();
    text += fmt::format(" Bubble{} {} of the time {} at work{}", whole ? ":" : " of these ranks: at least",
                        rangeOf(alike, share, percent), alike.size() == 1 ? "it is" : "they are",
                        differ ? ", most on " + rankList(*run.run, worst->ranks) : "");
    const auto theory = [](const Pipeline* one) { return *one->theory; };
    text += pipeline.theory ? fmt::format("; {}{} if all stages took the same time.", rangeOf(alike, theory, percent),
                                          whole ? "" : " of all ranks")
                            : ".";
    return text;
}

/// Why a step is longer than the work in it.
std::string forecastOf(const PipelinesAlike& alike) {
    const auto told = [&alike](const auto& of) {
        return rangeOf(
            alike, [&of](const Pipeline* pipeline) { return DurationNs{of(*pipeline->forecast)}; }, formatDuration);
    };
    const Pipeline& pipeline = *alike.front();
    std::string text = fmt::format("Simulated by {} schedule, a step takes {}; with stages of equal times {}",
                                   alike.size() == 1 ? "its" : "their",
                                   told([](const PipelineForecast& forecast) { return forecast.played_ns; }),
                                   told([](const PipelineForecast& forecast) { return forecast.even_ns; }));
    if (pipeline.forecast->more_micro_batches_ns) {
        text += "; with twice as many micro-batches " +
                told([](const PipelineForecast& forecast) { return *forecast.more_micro_batches_ns; }) +
                " for the same work";
    }
    if (pipeline.forecast->more_stages_ns) {
        text += fmt::format("; with {} per rank {}", howMany(std::int64_t{2} * pipeline.stages_per_rank, "stage"),
                            told([](const PipelineForecast& forecast) { return *forecast.more_stages_ns; }));
    }
    return text + ".";
}

}  // namespace

std::vector<std::string> pipelineLines(const AnalysedRun& run, std::size_t most) {
    const std::vector<PipelinesAlike> groups = alikeTogether(run.facts.pipeline.pipelines);
    std::vector<std::string> lines;
    std::size_t untold = run.facts.pipeline.pipelines.size();
    for (std::size_t g = 0; g < std::min(most, groups.size()); ++g) {
        const Pipeline& first = *groups[g].front();
        untold -= groups[g].size();
        lines.push_back(headOf(run, groups[g]));
        std::string why;
        for (const std::string& sentence : first.evidence) {
            why += (why.empty() ? "" : " ") + sentence;
        }
        if (!why.empty()) {
            lines.push_back(why);
        }
        if (first.forecast) {
            lines.push_back(forecastOf(groups[g]));
        }
        lines.insert(lines.end(), first.notes.begin(), first.notes.end());
    }
    if (untold > 0) {
        lines.push_back(fmt::format("And {}, in --json.", formatCounted(untold, "more pipeline")));
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
    return "Mean of the counted steps, from the first pass of any stage to the last. In the bubble, a rank runs no "
           "pass and its GPU does nothing else. Backward includes passes for weight gradients only, and passes that "
           "run a forward and a backward at once.";
}

}  // namespace rankscope::report
