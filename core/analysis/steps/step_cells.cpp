// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_cells.h"

#include <algorithm>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr DurationNs kLeastScale = 10;  // one part in so many of the median step

std::optional<DurationNs> valueOf(const RankStep& step, StepMeasure measure) {
    switch (measure) {
        case StepMeasure::StepTime: return step.span.length();
        case StepMeasure::ExposedCommunication:
            return step.partition ? std::optional(step.partition->exposed_comm_ns) : std::nullopt;
        case StepMeasure::Idle: return step.partition ? std::optional(step.partition->idle_ns) : std::nullopt;
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

}  // namespace

std::string_view stepMeasureTitle(StepMeasure measure) {
    switch (measure) {
        case StepMeasure::Lateness: return "Lateness";
        case StepMeasure::StepTime: return "Step time";
        case StepMeasure::ExposedCommunication: return "Exposed communication";
        case StepMeasure::Idle: return "Idle";
    }
    return "";
}

bool StepCells::any() const {
    return std::ranges::any_of(ns, [](const auto& rank) {
        return std::ranges::any_of(rank, [](const auto& cell) { return cell.has_value(); });
    });
}

std::optional<double> StepCells::heat(RankPosition rank, std::size_t step) const {
    if (rank >= ns.size() || step >= ns[rank].size() || !ns[rank][step]) {
        return {};
    }
    return std::clamp(static_cast<double>(*ns[rank][step] - median_ns) / static_cast<double>(scale_ns), 0.0, 1.0);
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
    std::vector<DurationNs> steady;
    for (RankPosition r{0}; r < cells.ns.size(); ++r) {
        for (std::size_t s = 0; s < cells.ns[r].size(); ++s) {
            const RankStep& step = facts.ranks[r].steps[s];
            if (cells.ns[r][s] && step.complete && !step.outlier) {
                steady.push_back(*cells.ns[r][s]);
            }
        }
    }
    const DurationNs greatest_ns = steady.empty() ? 0 : std::ranges::max(steady);
    cells.median_ns = steady.empty() ? 0 : lowerMedian(std::move(steady));
    cells.scale_ns = std::max({greatest_ns - cells.median_ns, facts.median_step_ns / kLeastScale, DurationNs{1}});
    return cells;
}

}  // namespace rankscope
