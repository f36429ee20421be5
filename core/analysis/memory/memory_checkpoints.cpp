// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/memory_checkpoints.h"

#include <algorithm>

namespace rankscope {
namespace {

/// The checkpoints with their places, not yet with what was held there.
std::vector<MemoryCheckpoint> places(const RankFacts& facts) {
    std::vector<MemoryCheckpoint> out;
    for (const PhaseSpan& range : facts.phases.host) {
        if (range.phase == Phase::Forward || range.phase == Phase::Backward || range.phase == Phase::Optimizer) {
            MemoryCheckpoint& point = out.emplace_back();
            point.step = stepAt(facts.steps, range.span.end_ns - 1);
            point.phase = range.phase;
            point.at_ns = range.span.end_ns;
        }
    }
    for (std::size_t s = 0; out.empty() && s < facts.steps.size(); ++s) {
        MemoryCheckpoint& point = out.emplace_back();
        point.step = RankStepPosition(s);
        point.at_ns = facts.steps[s].host.end_ns;
    }
    return out;
}

}  // namespace

std::optional<RankStepPosition> stepAt(const std::vector<RankStep>& steps, TimeNs at_ns) {
    const auto start = [](const RankStep& step) { return step.host.start_ns; };
    const auto after = std::ranges::upper_bound(steps, at_ns, {}, start);
    return after != steps.begin() && (after - 1)->host.contains(at_ns)
               ? std::optional(RankStepPosition(after - 1 - steps.begin()))
               : std::nullopt;
}

std::vector<MemoryCheckpoint> memoryCheckpoints(const MemoryTable& memory, const std::vector<std::size_t>& events,
                                                const RankFacts& facts, TimeNs window_ns) {
    MemoryCheckpoint first;
    first.at_ns = std::min(window_ns, memory.at_ns[events.front()]);  // phases may end before the first event
    first.allocated = memory.total_allocated[events.front()] - memory.bytes[events.front()];
    first.reserved = memory.total_reserved[events.front()];
    first.peak = first.allocated;
    std::vector<MemoryCheckpoint> out = {first};
    std::size_t event = 0;
    for (MemoryCheckpoint point : places(facts)) {
        const MemoryCheckpoint& before = out.back();
        point.allocated = before.allocated;
        point.reserved = before.reserved;
        point.peak = before.allocated;
        for (; event < events.size() && memory.at_ns[events[event]] < point.at_ns; ++event) {
            point.allocated = memory.total_allocated[events[event]];
            point.reserved = memory.total_reserved[events[event]];
            point.peak = std::max(point.peak, point.allocated);
        }
        point.delta = point.allocated - before.allocated;
        out.push_back(point);
    }
    return out;
}

}  // namespace rankscope
