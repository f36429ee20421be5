// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/rank_measures.h"

#include <algorithm>
#include <utility>

#include "core/analysis/steps/step_cells.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr std::int64_t kLeastScale = 10;  // the scale is at least a tenth of the whole

/// The median over the steady steps of a rank that `cells` has, else over all that it has.
std::optional<std::int64_t> medianOf(const StepCells& cells, const RankFacts& rank, RankPosition position) {
    std::vector<DurationNs> steady;
    std::vector<DurationNs> all;
    for (std::size_t s = 0; s < rank.steps.size(); ++s) {
        if (const std::optional<DurationNs>& ns = cells.ns[position][s]) {
            all.push_back(*ns);
            if (rank.steps[s].complete && !rank.steps[s].outlier) {
                steady.push_back(*ns);
            }
        }
    }
    std::vector<DurationNs>& used = steady.empty() ? all : steady;
    return used.empty() ? std::nullopt : std::optional(lowerMedian(std::move(used)));
}

std::vector<std::optional<std::int64_t>> medians(const RunFacts& facts, StepMeasure measure) {
    const StepCells cells = stepCells(facts, measure);
    std::vector<std::optional<std::int64_t>> out;
    for (RankPosition r{0}; r < facts.ranks.size(); ++r) {
        out.push_back(medianOf(cells, facts.ranks[r], r));
    }
    return out;
}

std::vector<std::optional<std::int64_t>> exposed(const RunFacts& facts, std::optional<Role> role) {
    std::vector<std::optional<std::int64_t>> out;
    for (const RankRoles& rank : facts.parallelism.ranks) {
        const DurationNs sum_ns = role ? rank.exposed[role] : rank.exposed.total();
        out.push_back(rank.counted == 0 ? std::nullopt : std::optional(sum_ns / static_cast<DurationNs>(rank.counted)));
    }
    return out;
}

std::vector<std::optional<std::int64_t>> reserved(const RunFacts& facts) {
    std::vector<std::optional<std::int64_t>> out;
    for (const RankFacts& rank : facts.ranks) {
        const auto at = std::ranges::find(rank.memory, rank.device, &DeviceMemory::device);
        out.push_back(at == rank.memory.end() ? std::nullopt : std::optional(at->peak.reserved_bytes));
    }
    return out;
}

std::vector<std::optional<std::int64_t>> ofPipelines(const RunFacts& facts, DurationNs (*part)(const PipelineTimes&)) {
    std::vector<std::optional<std::int64_t>> out(facts.ranks.size());
    for (const Pipeline& pipeline : facts.pipeline.pipelines) {
        for (std::size_t r = 0; r < pipeline.ranks.size() && !pipeline.counted.empty(); ++r) {
            out[pipeline.ranks[r]] = part(pipeline.timesOf(r)) / static_cast<DurationNs>(pipeline.counted.size());
        }
    }
    return out;
}

std::vector<std::optional<std::int64_t>> valuesOf(const RunFacts& facts, RankMeasure measure,
                                                  std::optional<Role> role) {
    switch (measure) {
        case RankMeasure::Lateness: return medians(facts, StepMeasure::Lateness);
        case RankMeasure::ExposedCommunication: return exposed(facts, role);
        case RankMeasure::Idle: return medians(facts, StepMeasure::Idle);
        case RankMeasure::StepTime: return medians(facts, StepMeasure::StepTime);
        case RankMeasure::Memory: return reserved(facts);
        case RankMeasure::InPasses: return ofPipelines(facts, [](const PipelineTimes& times) { return times.busy(); });
        case RankMeasure::Bubble:
            return ofPipelines(facts, [](const PipelineTimes& times) { return times.bubbleTotal(); });
    }
    return {};
}

}  // namespace

std::string_view rankMeasureTitle(RankMeasure measure) {
    switch (measure) {
        case RankMeasure::Lateness: return stepMeasureTitle(StepMeasure::Lateness);
        case RankMeasure::ExposedCommunication: return stepMeasureTitle(StepMeasure::ExposedCommunication);
        case RankMeasure::Idle: return stepMeasureTitle(StepMeasure::Idle);
        case RankMeasure::StepTime: return stepMeasureTitle(StepMeasure::StepTime);
        case RankMeasure::Memory: return "Memory reserved";
        case RankMeasure::InPasses: return "Time in pipeline passes";
        case RankMeasure::Bubble: return "Pipeline bubble";
    }
    return {};
}

std::optional<double> RankValues::heat(RankPosition rank) const {
    if (rank >= of.size() || !of[rank]) {
        return std::nullopt;
    }
    return static_cast<double>(*of[rank] - from) / static_cast<double>(std::max<std::int64_t>(1, to - from));
}

RankValues rankValues(const AnalysedRun& run, RankMeasure measure, std::optional<Role> role) {
    RankValues values;
    values.of = valuesOf(run.facts, measure, role);
    values.of.resize(run.run->ranks.size());
    std::vector<std::int64_t> known;
    for (const std::optional<std::int64_t>& value : values.of) {
        if (value) {
            known.push_back(*value);
        }
    }
    if (known.empty()) {
        return values;
    }
    const auto [least, most] = std::ranges::minmax(known);
    const std::int64_t whole = measure == RankMeasure::Memory ? most : run.facts.pricedStep();
    values.from = least;
    values.to = std::max({most, least + whole / kLeastScale, least + 1});
    values.median = lowerMedian(std::move(known));
    return values;
}

}  // namespace rankscope
