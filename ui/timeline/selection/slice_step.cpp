// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/selection/slice_step.h"

#include <algorithm>

namespace rankscope::ui {
namespace {

TimeNs middleOf(const TimeSpan& span) {
    return span.start_ns + span.length() / 2;
}

std::optional<RankStepPosition> stepAt(const RankFacts& facts, TimeSpan MeasuredStep::*part, TimeNs at_ns) {
    const auto found = std::ranges::find_if(facts.steps, [&](const RankStep& step) {
        const TimeSpan& span = step.*part;
        return span.start_ns <= at_ns && at_ns < span.end_ns;
    });
    return found != facts.steps.end() ? std::optional(RankStepPosition(found - facts.steps.begin())) : std::nullopt;
}

}  // namespace

std::optional<RankStepPosition> stepOfSlice(const RankTrace& trace, const RankFacts& facts, SliceRef slice) {
    if (trace.track(slice).kind == TrackKind::CpuThread) {
        const auto marked = std::ranges::find(facts.steps, slice, &RankStep::mark);
        return marked != facts.steps.end() ? std::optional(RankStepPosition(marked - facts.steps.begin()))
                                           : stepAt(facts, &RankStep::host, middleOf(trace.span(slice)));
    }
    if (const SliceRef launch = trace.launches.launchOf(slice); launch.valid()) {
        return stepAt(facts, &RankStep::host, trace.span(launch).start_ns);
    }
    return stepAt(facts, &RankStep::span, middleOf(trace.span(slice)));
}

std::optional<RunStepPosition> runStepOf(const RunFacts& facts, RankPosition rank, RankStepPosition step) {
    const auto found = std::ranges::find_if(facts.steps, [&](const RunStep& each) { return each.of(rank) == step; });
    return found != facts.steps.end() ? std::optional(RunStepPosition(found - facts.steps.begin())) : std::nullopt;
}

}  // namespace rankscope::ui
