// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_cells.h"

#include <algorithm>
#include <utility>

#include "core/analysis/serving/iterations.h"
#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr DurationNs kLeastScale = 10;  // this fraction of the median step

std::optional<DurationNs> valueOf(const RankStep& step, StepMeasure measure) {
    switch (measure) {
        case StepMeasure::StepTime: return step.span.length();
        case StepMeasure::ExposedCommunication:
            return step.partition ? std::optional(step.partition->exposed_comm_ns) : std::nullopt;
        case StepMeasure::Idle: return step.partition ? std::optional(step.partition->idle_ns) : std::nullopt;
        case StepMeasure::Compute: return step.partition ? std::optional(step.partition->compute_ns) : std::nullopt;
        case StepMeasure::Lateness: break;
    }
    return {};
}

void fillLateness(const RunFacts& facts, StepCells& cells) {
    for (const RankLateness& rank : facts.stragglers.ranks) {
        for (const SegmentTime& own : rank.steps) {
            if (const std::optional<RankStepPosition> step = facts.steps[own.step].of(rank.rank)) {
                cells.ns[rank.rank][*step] = own.late_ns;
            }
        }
    }
}

/// Notes the steps that are not of the priced kind, if any.
void fillKinds(const RunFacts& facts, StepCells& cells) {
    for (const RunStep& step : facts.steps) {
        if (!step.other_kind) {
            continue;
        }
        cells.other_kind.resize(cells.ns.size());
        for (RankPosition r{0}; r < cells.ns.size(); ++r) {
            if (const std::optional<RankStepPosition> own = step.of(r)) {
                cells.other_kind[r].resize(cells.ns[r].size());
                cells.other_kind[r][*own] = indexOf(step.kind);
            }
        }
    }
}

std::optional<std::size_t> otherKind(const StepCells& cells, RankPosition rank, std::size_t step) {
    const bool known = rank < cells.other_kind.size() && step < cells.other_kind[rank].size();
    return known ? cells.other_kind[rank][step] : std::nullopt;
}

/// The median step of a kind that is not priced.
DurationNs medianStepOf(const RunFacts& facts, std::size_t kind) {
    std::vector<DurationNs> lengths;
    for (const RunStep& step : facts.steps) {
        if (step.other_kind && indexOf(step.kind) == kind) {
            lengths.push_back(step.duration_ns);
        }
    }
    return lengths.empty() ? 0 : lowerMedian(std::move(lengths));
}

StepCells::Typical typicalAmong(std::vector<DurationNs> values, DurationNs median_step_ns) {
    StepCells::Typical typical;
    const DurationNs greatest_ns = values.empty() ? 0 : std::ranges::max(values);
    typical.median_ns = values.empty() ? 0 : lowerMedian(std::move(values));
    typical.scale_ns = std::max({greatest_ns - typical.median_ns, median_step_ns / kLeastScale, DurationNs{1}});
    return typical;
}

}  // namespace

std::string_view stepMeasureTitle(StepMeasure measure) {
    switch (measure) {
        case StepMeasure::Lateness: return "Lateness";
        case StepMeasure::StepTime: return "Step time";
        case StepMeasure::ExposedCommunication: return "Exposed communication";
        case StepMeasure::Idle: return "Idle";
        case StepMeasure::Compute: return "Compute";
    }
    return "";
}

bool StepCells::any() const {
    return std::ranges::any_of(ns, [](const auto& rank) {
        return std::ranges::any_of(rank, [](const auto& cell) { return cell.has_value(); });
    });
}

const StepCells::Typical& StepCells::typicalOf(RankPosition rank, std::size_t step) const {
    const std::optional<std::size_t> kind = otherKind(*this, rank, step);
    const auto of_kind = kind ? of_others.find(*kind) : of_others.end();
    return of_kind != of_others.end() ? of_kind->second : typical;
}

std::optional<double> StepCells::heat(RankPosition rank, std::size_t step) const {
    if (rank >= ns.size() || step >= ns[rank].size() || !ns[rank][step]) {
        return {};
    }
    const Typical& own = typicalOf(rank, step);
    return std::clamp(static_cast<double>(*ns[rank][step] - own.median_ns) / static_cast<double>(own.scale_ns), 0.0,
                      1.0);
}

StepCells stepCells(const RunFacts& facts, StepMeasure measure) {
    StepCells cells;
    for (const RankFacts& rank : facts.ranks) {
        auto& row = cells.ns.emplace_back();
        for (const RankStep& step : rank.steps) {
            row.push_back(valueOf(step, measure));
        }
    }
    if (measure == StepMeasure::Lateness) {
        fillLateness(facts, cells);
    }
    fillKinds(facts, cells);
    std::vector<DurationNs> steady;
    std::map<std::size_t, std::vector<DurationNs>> others;
    for (RankPosition r{0}; r < cells.ns.size(); ++r) {
        for (std::size_t s = 0; s < cells.ns[r].size(); ++s) {
            const RankStep& step = facts.ranks[r].steps[s];
            if (!cells.ns[r][s] || !step.complete) {
                continue;
            }
            if (const auto kind = otherKind(cells, r, s)) {
                others[*kind].push_back(*cells.ns[r][s]);
            } else if (!step.outlier) {
                steady.push_back(*cells.ns[r][s]);
            }
        }
    }
    cells.typical = typicalAmong(std::move(steady), facts.median_step_ns);
    for (auto& [kind, values] : others) {
        cells.of_others[kind] = typicalAmong(std::move(values), medianStepOf(facts, kind));
    }
    return cells;
}

}  // namespace rankscope
