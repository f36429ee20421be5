// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/find_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/analysis/pipeline/find_passes.h"
#include "core/analysis/pipeline/forecast_pipeline.h"
#include "core/analysis/pipeline/long_passes.h"
#include "core/analysis/pipeline/measure_bubble.h"
#include "core/analysis/pipeline/pipeline_ranks.h"
#include "core/analysis/pipeline/rank_layers.h"
#include "core/analysis/pipeline/recognise_schedule.h"
#include "core/analysis/pipeline/schedule_orders.h"
#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

constexpr std::initializer_list<PassSource> kSources = {PassSource::Actions, PassSource::Numbers, PassSource::Ranges,
                                                        PassSource::SendsAndReceives};

/// The passes of a step on all ranks of a pipeline, and the schedule that their order shows.
struct ToldStep {
    RunStepPosition step;
    std::vector<PlacedPasses> ranks;
    RecognisedSchedule said;
    [[nodiscard]] auto shape() const { return std::tuple(said.schedule, said.stages_per_rank, said.micro_batches); }
};

class PipelineFinder {
  public:
    PipelineFinder(const Run& run, const RunFacts& facts, const RunClock& clock, const std::vector<RankContext>& work,
                   std::size_t threads)
        : run_(run), facts_(facts), clock_(clock), work_(work), threads_(threads) {}

    PipelineFacts find() {
        PipelineFacts found{pipelinesOf(run_, facts_.parallelism)};
        if (found.pipelines.empty()) {
            return found;
        }
        readExchanges(found.pipelines);
        for (Pipeline& pipeline : found.pipelines) {
            tell(pipeline);
        }
        return found;
    }

  private:
    void readExchanges(const std::vector<Pipeline>& pipelines);
    void tell(Pipeline& pipeline);
    [[nodiscard]] std::vector<ToldStep> toldBy(PassSource source, const Pipeline& pipeline, bool weights) const;
    [[nodiscard]] std::vector<ToldStep> toldBy(PassSource source, const Pipeline& pipeline) const;
    void addStep(ToldStep told, Pipeline& pipeline) const;

    const Run& run_;
    const RunFacts& facts_;
    const RunClock& clock_;
    const std::vector<RankContext>& work_;
    std::size_t threads_;
    std::vector<RankExchanges> exchanges_;  // parallel to Run::ranks; empty for ranks in no pipeline
};

void PipelineFinder::readExchanges(const std::vector<Pipeline>& pipelines) {
    const std::vector<std::vector<OwnPart>> parts = partsOfRanks(facts_.collectives, run_.ranks.size());
    std::vector<bool> wanted(run_.ranks.size());
    for (const Pipeline& pipeline : pipelines) {
        for (const RankPosition rank : pipeline.ranks) {
            wanted[rank] = true;
        }
    }
    exchanges_.resize(run_.ranks.size());
    forEachIndex(run_.ranks.size(), threads_, [&](std::size_t r) {
        if (wanted[r]) {
            exchanges_[r] = exchangesOf(facts_, RankPosition(r), parts[r], *run_.ranks[r]);
        }
    });
}

std::vector<ToldStep> PipelineFinder::toldBy(PassSource source, const Pipeline& pipeline, bool weights) const {
    std::vector<std::vector<std::vector<PipelinePass>>> passes(pipeline.ranks.size());
    forEachIndex(passes.size(), threads_, [&](std::size_t r) {
        const RankPosition rank = pipeline.ranks[r];
        const std::size_t steps = facts_.ranks[rank].steps.size();
        const RankExchanges& own = exchanges_[rank];
        passes[r] = source == PassSource::SendsAndReceives
                        ? passesBetween(work_[rank], own.called, steps, own.inner, weights)
                        : passesByName(work_[rank], source, steps, own.inner);
    });
    const std::vector<RankNumber>& numbers = facts_.parallelism.groups[pipeline.group].ranks;
    const bool wraps = pipeline.places.front() == 0 && wrapsAround(numbers, exchanges_[pipeline.ranks.front()]);
    std::vector<ToldStep> told;
    for (RunStepPosition s{0}; s < facts_.steps.size(); ++s) {
        ToldStep step{.step = s, .ranks = {}, .said = {}};
        for (std::size_t r = 0; r < passes.size(); ++r) {
            if (const auto own = facts_.steps[s].of(pipeline.ranks[r])) {
                step.ranks.push_back({pipeline.places[r], passes[r][*own]});
            }
        }
        auto said =
            step.ranks.size() == passes.size() ? recogniseSchedule(pipeline.size, step.ranks, wraps) : std::nullopt;
        if (said) {
            step.said = *std::move(said);
            told.push_back(std::move(step));
        }
    }
    return told;
}

/// Gradients of weights are recognised by missing flows: if that fits no schedule, it is other work without flows.
std::vector<ToldStep> PipelineFinder::toldBy(PassSource source, const Pipeline& pipeline) const {
    std::vector<ToldStep> told = toldBy(source, pipeline, true);
    const auto known = [](const ToldStep& step) { return step.said.schedule.has_value(); };
    if (source == PassSource::SendsAndReceives && std::ranges::none_of(told, known)) {
        std::vector<ToldStep> whole = toldBy(source, pipeline, false);
        return told.empty() || std::ranges::any_of(whole, known) ? whole : told;
    }
    return told;
}

/// Keeps the steps with the schedule and size of most steps: an evaluation step has others.
void keepMostFrequent(std::vector<ToldStep>& told) {
    std::map<std::tuple<std::optional<Schedule>, std::int32_t, std::int32_t>, std::size_t> counts;
    for (const ToldStep& step : told) {
        ++counts[step.shape()];
    }
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& count) { return std::pair(count.second, count.first); });
    std::erase_if(told, [&](const ToldStep& step) { return step.shape() != most->first; });
}

void PipelineFinder::addStep(ToldStep told, Pipeline& pipeline) const {
    PipelineStep& step = pipeline.steps.emplace_back();
    step.step = told.step;
    std::vector<RankStretch> stretches;
    for (std::size_t r = 0; r < pipeline.ranks.size(); ++r) {
        const RankPosition rank = pipeline.ranks[r];
        const RankStepPosition own = *facts_.steps[told.step].of(rank);
        stretches.push_back({rank, facts_.ranks[rank].steps[own].span, &exchanges_[rank]});
        RankPipelineStep& of_rank = step.ranks.emplace_back();
        of_rank.step = own;
        of_rank.passes = std::move(told.ranks[r].passes);
    }
    measureBubble(clock_, stretches, pipeline.stages(), step);
}

std::string sourceText(PassSource source) {
    switch (source) {
        case PassSource::Actions: return "CPU ranges name the stage and micro-batch of each pass.";
        case PassSource::Numbers: return "CPU ranges name the micro-batch of each pass.";
        case PassSource::Ranges: return "CPU ranges or functions name each pass; micro-batches are counted in order.";
        case PassSource::SendsAndReceives:
            return "No range names the passes. They are the work between sends and receives, backward where autograd "
                   "launched it. Micro-batches are counted in order.";
    }
    return {};
}

void noteWhatIsMissing(Pipeline& pipeline) {
    const auto missing = static_cast<std::size_t>(pipeline.size) - pipeline.ranks.size();
    if (missing > 0) {
        pipeline.notes.push_back(fmt::format(
            "{} of {} {} not opened. Window and bubble are those of the others, and may be longer: the missing ranks "
            "may begin earlier and end later.",
            missing, formatCounted(static_cast<std::uint64_t>(pipeline.size), "rank"), missing == 1 ? "was" : "were"));
    }
    if (pipeline.steps.empty()) {
        pipeline.notes.emplace_back(
            "Passes of micro-batches were not found: no step has as many backwards as forwards, the same on all ranks. "
            "Put record_function(\"PP:<stage>F<micro-batch>\") around each forward, and the same with B around each "
            "backward. torch.distributed.pipelining does so by itself.");
    }
}

/// If communication with an unknown share of waiting is a hundredth of the working time or more, the bubble may well be
/// longer.
void noteWhatMayBeWaits(Pipeline& pipeline) {
    const PipelineTimes times = pipeline.times();
    if (times.unsplit_ns > 0 && 100 * times.unsplit_ns >= times.window()) {
        const auto rank_steps = static_cast<DurationNs>(pipeline.counted.size() * pipeline.ranks.size());
        pipeline.notes.push_back(
            fmt::format("For {} per step (mean of the ranks), other groups communicate while no pass runs. How much of "
                        "it is waiting is unknown: ranks were not opened, or the transfer is not timed. It counts as "
                        "work, so the bubble may be longer by up to that time.",
                        formatDuration(times.unsplit_ns / rank_steps)));
    }
}

void PipelineFinder::tell(Pipeline& pipeline) {
    for (const PassSource source : kSources) {
        std::vector<ToldStep> told = toldBy(source, pipeline);
        if (told.empty()) {
            continue;
        }
        keepMostFrequent(told);
        const RecognisedSchedule said = told.front().said;
        pipeline.source = source;
        pipeline.schedule = said.schedule;
        pipeline.stages_per_rank = said.stages_per_rank;
        pipeline.micro_batches = said.micro_batches;
        pipeline.folded = said.folded;
        pipeline.evidence.push_back(sourceText(source));
        pipeline.evidence.insert(pipeline.evidence.end(), said.evidence.begin(), said.evidence.end());
        pipeline.notes = said.notes;
        for (ToldStep& step : told) {
            addStep(std::move(step), pipeline);
        }
        break;
    }
    noteWhatIsMissing(pipeline);
    for (std::size_t s = 0; s < pipeline.steps.size(); ++s) {
        if (isSteady(facts_.steps[pipeline.steps[s].step])) {
            pipeline.counted.push_back(s);
        }
    }
    if (pipeline.counted.empty()) {
        pipeline.counted.resize(pipeline.steps.size());
        std::iota(pipeline.counted.begin(), pipeline.counted.end(), std::size_t{0});
    }
    noteWhatMayBeWaits(pipeline);
    pipeline.stage_times = stageTimes(pipeline);
    if (std::string text = longPassesText(run_, facts_, pipeline, longPasses(pipeline)); !text.empty()) {
        pipeline.notes.push_back(std::move(text));
    }
    if (!pipeline.steps.empty()) {
        pipeline.layers = layersOf(run_, pipeline.ranks);
    }
    pipeline.forecast = forecastPipeline(pipeline);
    if (pipeline.schedule) {
        const PipelineShape shape{pipeline.size, pipeline.stages_per_rank, pipeline.micro_batches, pipeline.folded};
        pipeline.theory = theoryOf(*pipeline.schedule, shape);
        pipeline.theory = pipeline.theory ? pipeline.theory : playedTheory(pipeline);
        pipeline.theory = pipeline.theory ? pipeline.theory : dualPipeTheory(pipeline);
    }
}

}  // namespace

PipelineFacts findPipelines(const Run& run, const RunFacts& facts, const RunClock& clock,
                            const std::vector<RankContext>& work, std::size_t threads) {
    return PipelineFinder(run, facts, clock, work, threads).find();
}

}  // namespace rankscope
