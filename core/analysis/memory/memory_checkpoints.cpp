// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/memory_checkpoints.h"

#include <algorithm>
#include <span>

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
                                                const RankFacts& facts) {
    const std::vector<MemoryCheckpoint> all = places(facts);
    std::vector<MemoryCheckpoint> out;
    std::size_t event = 0;
    std::size_t place = 0;
    const std::span<const TimeSpan> windows = facts.windows.all();
    for (std::uint32_t w = 0; w < std::max<std::size_t>(1, windows.size()); ++w) {
        const auto in_window = [&](TimeNs at_ns) { return facts.windows.indexOf(at_ns) == w; };
        const bool any = event < events.size() && in_window(memory.at_ns[events[event]]);
        if (any) {
            MemoryCheckpoint& first = out.emplace_back();
            // Phases may end before the first event.
            first.at_ns = memory.at_ns[events[event]];
            first.at_ns = w < windows.size() ? std::min(windows[w].start_ns, first.at_ns) : first.at_ns;
            first.allocated = memory.total_allocated[events[event]] - memory.bytes[events[event]];
            first.reserved = memory.total_reserved[events[event]];
            first.peak = first.allocated;
        }
        for (; place < all.size() && in_window(all[place].at_ns); ++place) {
            if (!any) {
                continue;  // nothing tells what was allocated
            }
            MemoryCheckpoint point = all[place];
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
        while (event < events.size() && in_window(memory.at_ns[events[event]])) {
            ++event;
        }
    }
    return out;
}

}  // namespace rankscope
