// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/step_medians.h"

#include <cmath>
#include <vector>

#include "core/analysis/steps/run_steps.h"
#include "core/base/statistics.h"

namespace rankscope::report {
namespace {

using Steps = std::vector<const RankStep*>;

/// Steps, and how several of their values are reduced to one.
struct Chosen {
    Steps steps;
    StepBasis basis = StepBasis::Median;
};

/// Over the steps for which `value` returns one; nothing if there is none.
template <class Value>
std::optional<DurationNs> typicalOver(const Chosen& chosen, Value value) {
    std::vector<DurationNs> values;
    for (const RankStep* step : chosen.steps) {
        if (const std::optional<DurationNs> v = value(*step)) {
            values.push_back(*v);
        }
    }
    return values.empty() ? std::nullopt : std::optional<DurationNs>(typicalOf(chosen.basis, std::move(values)));
}

/// The median of a share of each step; nothing if no step has one. Calculated in billionths, since medians are
/// integers.
template <class Part, class Whole>
std::optional<double> typicalShare(const Chosen& steps, Part part, Whole whole) {
    static constexpr double kBillion = 1e9;
    const auto median = typicalOver(steps, [&](const RankStep& step) -> std::optional<DurationNs> {
        if (!step.partition || whole(step) <= 0) {
            return std::nullopt;
        }
        return std::llround(kBillion * static_cast<double>(part(step)) / static_cast<double>(whole(step)));
    });
    return median ? std::optional<double>(static_cast<double>(*median) / kBillion) : std::nullopt;
}

std::optional<Partition> partitionOf(const Chosen& steps) {
    const auto column = [&steps](auto member) {
        return typicalOver(steps, [member](const RankStep& step) {
            return step.partition ? std::optional<DurationNs>((*step.partition).*member) : std::nullopt;
        });
    };
    const auto optional_column = [&steps](auto member) {
        return typicalOver(steps, [member](const RankStep& step) {
            return step.partition ? (*step.partition).*member : std::optional<DurationNs>();
        });
    };
    const auto compute = column(&Partition::compute_ns);
    if (!compute) {
        return std::nullopt;
    }
    Partition out;
    out.compute_ns = *compute;
    out.exposed_comm_ns = *column(&Partition::exposed_comm_ns);
    out.exposed_copy_ns = *column(&Partition::exposed_copy_ns);
    out.idle_ns = *column(&Partition::idle_ns);
    out.comm_ns = *column(&Partition::comm_ns);
    out.copy_ns = *column(&Partition::copy_ns);
    out.overlap_ns = *column(&Partition::overlap_ns);
    out.exposed_transfer_ns = optional_column(&Partition::exposed_transfer_ns);
    out.exposed_wait_ns = optional_column(&Partition::exposed_wait_ns);
    out.exposed_unsplit_ns = optional_column(&Partition::exposed_unsplit_ns);
    return out;
}

StepMedians mediansOver(const Chosen& chosen) {
    StepMedians out;
    out.duration_ns =
        *typicalOver(chosen, [](const RankStep& step) { return std::optional<DurationNs>(step.span.length()); });
    out.partition = partitionOf(chosen);
    out.overlap = typicalShare(
        chosen, [](const RankStep& step) { return step.partition->overlap_ns; },
        [](const RankStep& step) { return step.partition->comm_ns; });
    out.utilisation = typicalShare(
        chosen, [](const RankStep& step) { return step.span.length() - step.partition->idle_ns; },
        [](const RankStep& step) { return step.span.length(); });
    if (out.partition) {
        for (std::size_t i = 0; i < kCauseCount; ++i) {
            const auto cause = static_cast<Cause>(i);
            out.idle_causes[cause] = *typicalOver(
                chosen, [cause](const RankStep& step) { return std::optional<DurationNs>(step.idle_causes[cause]); });
        }
    }
    return out;
}

}  // namespace

std::optional<StepMedians> stepMedians(const RankFacts& facts, StepBasis basis) {
    Steps all;
    Steps steady;
    for (const RankStep& step : facts.steps) {
        all.push_back(&step);
        if (step.complete && !step.outlier) {
            steady.push_back(&step);
        }
    }
    if (all.empty()) {
        return std::nullopt;
    }
    StepMedians out = mediansOver({steady.empty() ? all : steady, basis});
    out.steps = all.size();
    out.steady = steady.size();
    out.over_all = steady.empty();
    return out;
}

std::optional<StepMedians> pricedMedians(const RunFacts& facts, RankPosition rank) {
    Steps priced;
    for (const RunStep* step : pricedSteps(facts.steps)) {
        const RankStep* const own = facts.stepOf(*step, rank);
        if (own != nullptr && own->complete && !own->outlier) {
            priced.push_back(own);
        }
    }
    if (priced.empty()) {
        return stepMedians(facts.ranks[rank], facts.basis);
    }
    StepMedians out = mediansOver({priced, facts.basis});
    out.steps = facts.ranks[rank].steps.size();
    out.steady = priced.size();
    return out;
}

}  // namespace rankscope::report
