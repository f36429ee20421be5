// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/step_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/analysis/steps/run_steps.h"
#include "core/base/interval_set.h"

namespace rankscope {
namespace {

/// A step of the run as replayed: the rank that ends it, and its time on that rank's clock.
struct EndedStep {
    RankPosition rank;
    TimeSpan span;
};

std::vector<TimeSpan> stepsOfRank(const RuleContext& context, const std::vector<ReplayedRank>* replayed,
                                  RankPosition rank) {
    if (replayed != nullptr) {
        return (*replayed)[rank].steps;
    }
    std::vector<TimeSpan> spans;
    for (const RankStep& step : context.facts.ranks[rank].steps) {
        spans.push_back(step.span);
    }
    return spans;
}

/// The step of the rank that ends last on the run's clock, and as long as the rank's own step, from the end of the one
/// before it.
EndedStep endOf(const RuleContext& context, const std::vector<std::vector<TimeSpan>>& steps, const RunStep& step) {
    RankPosition last = step.critical_rank;
    std::optional<TimeNs> last_ns;
    for (RankPosition r{0}; r < steps.size(); ++r) {
        const std::optional<RankStepPosition> own = step.of(r);
        if (!own || steps[r].empty()) {
            continue;
        }
        const TimeNs end_ns = context.clock.ranks[r].toRun(FileTime(steps[r][*own].end_ns));
        if (!last_ns || end_ns > *last_ns) {
            last_ns = end_ns;
            last = r;
        }
    }
    const std::optional<RankStepPosition> own = step.of(last);
    if (!own || steps[last].empty()) {
        return {last, {}};
    }
    const TimeSpan& span = steps[last][*own];
    const TimeNs begin_ns = step.follows && *own > 0 ? steps[last][*own - 1].end_ns : span.start_ns;
    return {last, {std::min(begin_ns, span.end_ns), span.end_ns}};
}

/// Of each step that counts.
std::vector<EndedStep> endedSteps(const RuleContext& context, const std::vector<ReplayedRank>* replayed) {
    std::vector<std::vector<TimeSpan>> steps;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        steps.push_back(stepsOfRank(context, replayed, r));
    }
    std::vector<EndedStep> ended;
    for (const RunStep* const step : context.pricer.steady()) {
        ended.push_back(endOf(context, steps, *step));
    }
    return ended;
}

StepParts partsIn(const RuleContext& context, const std::vector<ReplayedRank>* replayed, const EndedStep& step) {
    const ReplayModel& model = context.pricer.model().ranks[step.rank];
    const WorkClasses& classes = context.facts.ranks[step.rank].work_classes;
    std::vector<TimeSpan> compute;
    std::vector<TimeSpan> communication;
    std::vector<TimeSpan> copies;
    for (std::size_t i = 0; i < model.events.size(); ++i) {
        const ReplayEvent& event = model.events[i];
        const TimeSpan own = intersect(replayed == nullptr ? event.span : (*replayed)[step.rank].work[i], step.span);
        if (own.empty()) {
            continue;
        }
        switch (classes[event.ref.track.value][event.ref.slice]) {
            case WorkClass::Communication: communication.push_back(own); break;
            case WorkClass::Copy: copies.push_back(own); break;
            default: compute.push_back(own); break;
        }
    }
    const IntervalSet computing = IntervalSet::unionOf(std::move(compute));
    const IntervalSet with_communication = computing.unite(IntervalSet::unionOf(std::move(communication)));
    const IntervalSet busy = with_communication.unite(IntervalSet::unionOf(std::move(copies)));
    StepParts parts;
    parts.compute_ns = computing.length();
    parts.exposed_comm_ns = with_communication.length() - computing.length();
    parts.exposed_copy_ns = busy.length() - with_communication.length();
    parts.idle_ns = step.span.length() - busy.length();
    return parts;
}

/// The same parts in proportion, so that they add up to `total_ns`; idle time takes what rounding leaves.
StepParts scaledTo(StepParts parts, DurationNs total_ns) {
    const DurationNs own_ns = parts.total();
    if (own_ns == total_ns || own_ns <= 0) {
        parts.idle_ns += total_ns - own_ns;
        return parts;
    }
    const double factor = static_cast<double>(total_ns) / static_cast<double>(own_ns);
    const auto scale = [factor](DurationNs& ns) {
        ns = static_cast<DurationNs>(std::floor(factor * static_cast<double>(ns)));
    };
    scale(parts.compute_ns);
    scale(parts.exposed_comm_ns);
    scale(parts.exposed_copy_ns);
    parts.idle_ns = total_ns - parts.compute_ns - parts.exposed_comm_ns - parts.exposed_copy_ns;
    return parts;
}

}  // namespace

StepParts partsOf(const RuleContext& context, const std::vector<ReplayedRank>* replayed, DurationNs step_ns,
                  bool in_mean) {
    std::vector<EndedStep> ended = endedSteps(context, replayed);
    if (ended.empty()) {
        return scaledTo({}, step_ns);
    }
    if (context.facts.basis == StepBasis::Median && !in_mean) {
        const auto middle = ended.begin() + static_cast<std::ptrdiff_t>((ended.size() - 1) / 2);
        std::ranges::nth_element(ended, middle, {}, [](const EndedStep& step) { return step.span.length(); });
        return scaledTo(partsIn(context, replayed, *middle), step_ns);
    }
    StepParts sum;
    for (const EndedStep& step : ended) {
        const StepParts parts = partsIn(context, replayed, step);
        sum.compute_ns += parts.compute_ns;
        sum.exposed_comm_ns += parts.exposed_comm_ns;
        sum.exposed_copy_ns += parts.exposed_copy_ns;
        sum.idle_ns += parts.idle_ns;
    }
    return scaledTo(sum, step_ns);
}

RankPosition rankThatEnds(const RuleContext& context, const std::vector<ReplayedRank>* replayed) {
    std::map<RankPosition, std::size_t> steps;
    for (const EndedStep& step : endedSteps(context, replayed)) {
        ++steps[step.rank];
    }
    const auto most = std::ranges::max_element(steps, {}, [](const auto& of_rank) { return of_rank.second; });
    return most == steps.end() ? RankPosition{0} : most->first;
}

namespace {

/// The host time of `span` in a replay, outside waits for the device beyond what the calls themselves take.
DurationNs hostTimeIn(const ReplayModel& model, const HostTimeWarp& host, const TimeSpan& span) {
    DurationNs work_ns = host.at(span.end_ns) - host.at(span.start_ns);
    auto wait = std::ranges::lower_bound(model.waits, span.start_ns, {}, [](const auto& w) { return w.call.start_ns; });
    for (; wait != model.waits.end() && wait->call.start_ns < span.end_ns; ++wait) {
        const DurationNs waited_ns = host.at(wait->call.end_ns) - host.at(wait->call.start_ns);
        work_ns -= std::max<DurationNs>(0, waited_ns - wait->cost_ns);
    }
    return work_ns;
}

DurationNs hostWorkOf(const RuleContext& context, RankPosition rank, const HostTimeWarp& host) {
    const ReplayModel& model = context.pricer.model().ranks[rank];
    DurationNs sum_ns = 0;
    DurationNs steps = 0;
    for (const RunStep* const step : context.pricer.steady()) {
        const std::optional<RankStepPosition> own = step->of(rank);
        if (!own || *own + 1 >= model.hosts.size()) {
            continue;
        }
        const TimeSpan span{model.hosts[*own].start_ns, model.hosts[*own + 1].start_ns};
        const bool whole =
            std::ranges::none_of(model.holes, [&span](const TimeSpan& hole) { return !intersect(hole, span).empty(); });
        sum_ns += whole ? hostTimeIn(model, host, span) : 0;
        steps += whole ? 1 : 0;
    }
    return steps == 0 ? 0 : sum_ns / steps;
}

}  // namespace

DurationNs hostWorkPerStep(const RuleContext& context, const std::vector<ReplayedRank>* replayed) {
    DurationNs most_ns = 0;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        if (replayed == nullptr || !(*replayed)[r].steps.empty()) {
            most_ns = std::max(most_ns,
                               hostWorkOf(context, r, replayed == nullptr ? HostTimeWarp(1.0) : (*replayed)[r].host));
        }
    }
    return most_ns;
}

}  // namespace rankscope
