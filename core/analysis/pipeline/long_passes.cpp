// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/long_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/base/format.h"

namespace rankscope {
namespace {

constexpr DurationNs kTimesTypical = 3;
constexpr DurationNs kPartOfStep = 100;

DurationNs typicalOf(const Pipeline& pipeline, const PipelinePass& pass) {
    const auto stage = std::ranges::find(pipeline.stage_times, pass.stage, &StageTime::stage);
    return stage == pipeline.stage_times.end() || pass.overlapped ? 0 : stage->of(pass.kind);
}

}  // namespace

std::vector<LongPass> longPasses(const Pipeline& pipeline) {
    std::vector<LongPass> found;
    for (const std::size_t s : pipeline.counted) {
        const PipelineStep& step = pipeline.steps[s];
        for (std::size_t r = 0; r < step.ranks.size(); ++r) {
            for (std::size_t p = 0; p < step.ranks[r].passes.size(); ++p) {
                const PipelinePass& pass = step.ranks[r].passes[p];
                const LongPass one{s, r, p, pass.span.length(), typicalOf(pipeline, pass)};
                if (one.typical_ns > 0 && one.took_ns >= kTimesTypical * one.typical_ns &&
                    kPartOfStep * one.excess() >= step.window.plain().length()) {
                    found.push_back(one);
                }
            }
        }
    }
    std::ranges::stable_sort(found, std::greater<>(), &LongPass::took_ns);
    return found;
}

std::string longPassesText(const Run& run, const RunFacts& facts, const Pipeline& pipeline,
                           const std::vector<LongPass>& passes) {
    if (passes.empty()) {
        return {};
    }
    DurationNs excess_ns = 0;
    for (const LongPass& one : passes) {
        excess_ns += one.excess();
    }
    const LongPass& most = passes.front();
    const PipelineStep& step = pipeline.steps[most.step];
    const PipelinePass& pass = step.ranks[most.rank].passes[most.pass];
    const RankPosition rank = pipeline.ranks[most.rank];
    const std::string which =
        pass.micro_batch < 0 ? std::string() : fmt::format(" of micro-batch {}", pass.micro_batch);
    return fmt::format(
        "{} at least three times as long as usual for the kind and stage, {} longer in all. The longest is the {}{} on "
        "{} in step {}: {} instead of {}. Waiting for stages includes what other ranks wait for that. Another "
        "division of the layers does not help.",
        passes.size() == 1 ? "1 pass takes" : formatCount(passes.size()) + " passes take", formatDuration(excess_ns),
        passKindName(pass.kind), which, rankLabel(*run.ranks[rank], rank), facts.steps[step.step].index,
        formatDuration(most.took_ns), formatDuration(most.typical_ns));
}

}  // namespace rankscope
