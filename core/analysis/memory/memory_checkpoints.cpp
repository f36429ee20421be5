// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/memory_checkpoints.h"

#include <algorithm>
#include <span>

namespace rankscope {
namespace {

/// The checkpoints with their times, without the totals.
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

/// Appends the checkpoints of one window: its start, at `window_ns` or earlier, and those in it.
void addWindow(const MemoryTable& memory, std::span<const std::size_t> events, std::span<const MemoryCheckpoint> places,
               TimeNs window_ns, std::vector<MemoryCheckpoint>& out) {
    MemoryCheckpoint& first = out.emplace_back();
    first.at_ns = std::min(window_ns, memory.at_ns[events.front()]);  // phases may end before the first event
    first.allocated = memory.total_allocated[events.front()] - memory.bytes[events.front()];
    first.reserved = memory.total_reserved[events.front()];
    first.peak = first.allocated;
    auto event = events.begin();
    for (MemoryCheckpoint point : places) {
        const MemoryCheckpoint& before = out.back();
        point.allocated = before.allocated;
        point.reserved = before.reserved;
        point.peak = before.allocated;
        for (; event != events.end() && memory.at_ns[*event] < point.at_ns; ++event) {
            point.allocated = memory.total_allocated[*event];
            point.reserved = memory.total_reserved[*event];
            point.peak = std::max(point.peak, point.allocated);
        }
        point.delta = point.allocated - before.allocated;
        out.push_back(point);
    }
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
    std::span<const std::size_t> events_left(events);
    std::span<const MemoryCheckpoint> places_left(all);
    std::vector<MemoryCheckpoint> out;
    while (!events_left.empty()) {
        const TimeNs first_ns = memory.at_ns[events_left.front()];
        const std::uint32_t window = facts.windows.indexOf(first_ns);
        const auto behind = std::ranges::find_if(
            events_left, [&](std::size_t event) { return facts.windows.indexOf(memory.at_ns[event]) != window; });
        // Nothing is known about a window without events.
        const auto from = std::ranges::lower_bound(
            places_left, window, {}, [&](const MemoryCheckpoint& point) { return facts.windows.indexOf(point.at_ns); });
        const auto to = std::ranges::upper_bound(
            places_left, window, {}, [&](const MemoryCheckpoint& point) { return facts.windows.indexOf(point.at_ns); });
        const bool known = window < facts.windows.all().size();
        addWindow(memory, {events_left.begin(), behind}, {from, to},
                  known ? facts.windows.all()[window].start_ns : first_ns, out);
        events_left = {behind, events_left.end()};
        places_left = {to, places_left.end()};
    }
    return out;
}

}  // namespace rankscope
