// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/calls_request.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rankscope::ui {
namespace {

std::vector<RankPosition> ranksOf(const CallsRequest& request) {
    std::vector<RankPosition> ranks;
    for (RankPosition rank{0}; rank < request.run->run->ranks.size(); ++rank) {
        if (!request.rank || rank == *request.rank) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

/// The host's part of the step on each rank that has the step.
std::vector<CallPart> partsOfStep(const CallsRequest& request) {
    std::vector<CallPart> parts;
    for (const RankPosition rank : ranksOf(request)) {
        if (rank >= request.run->facts.ranks.size()) {
            continue;
        }
        for (const RankStep& step : request.run->facts.ranks[rank].steps) {
            if (step.index == request.step) {
                parts.push_back({rank, step.host.empty() ? step.span : step.host, {}});
            }
        }
    }
    return parts;
}

std::vector<CallPart> partsOfArea(const CallsRequest& request) {
    std::vector<CallPart> parts;
    for (const Area::Location& location : request.area.tracks) {
        if (request.rank && location.rank != *request.rank) {
            continue;
        }
        const RankTrace& trace = *request.run->run->ranks[location.rank];
        if (trace.tracks[location.track.value].kind != TrackKind::CpuThread) {
            continue;
        }
        if (parts.empty() || parts.back().rank != location.rank) {
            const RankClock& clock = request.run->clock.ranks[location.rank];
            parts.push_back({location.rank, clock.toFile(RunSpan(request.area.span)), {}});
        }
        parts.back().threads.push_back(location.track);
    }
    return parts;
}

std::vector<CallPart> partsOf(const CallsRequest& request) {
    switch (request.time) {
        case CallTime::Step: return partsOfStep(request);
        case CallTime::Area: return partsOfArea(request);
        case CallTime::All: break;
    }
    std::vector<CallPart> parts;
    for (const RankPosition rank : ranksOf(request)) {
        parts.push_back({rank, {}, {}});
    }
    return parts;
}

/// The number of complete steps in these parts, of all ranks together; 0 for an area, which may contain no complete
/// one.
std::uint64_t stepsOf(const CallsRequest& request, const std::vector<CallPart>& parts) {
    std::uint64_t steps = 0;
    for (const CallPart& part : parts) {
        if (request.time == CallTime::Step) {
            ++steps;
        } else if (request.time == CallTime::All && part.rank < request.run->facts.ranks.size()) {
            const auto& all = request.run->facts.ranks[part.rank].steps;
            steps += static_cast<std::uint64_t>(std::ranges::count_if(all, &RankStep::complete));
        }
    }
    return steps;
}

/// The tree in the direction of the request.
CallTree turned(CallTree tree, const CallsRequest& request) {
    return request.bottom_up ? bottomUp(tree, request.measure) : std::move(tree);
}

/// Adds the calls of the other run to those that are shown; false if stopped.
bool compare(ShownCalls& shown, const CallsRequest& request, const std::vector<CallPart>& parts,
             const std::stop_token& stop) {
    CallsRequest other = request;
    other.run = request.before;
    other.rank.reset();
    other.time = CallTime::All;
    const std::vector<CallPart> all = partsOf(other);
    Result<CallTree> made = callsIn(*other.run->run, all, request.source, request.measure, stop);
    if (!made.ok()) {
        return false;
    }
    const CallTree before = turned(std::move(made).value(), request);
    compareWith(shown.tree, before, request.measure);
    shown.compared = true;
    const std::uint64_t steps = stepsOf(request, parts);
    const std::uint64_t other_steps = stepsOf(other, all);
    shown.scaled_by_steps = steps > 0 && other_steps > 0;
    const auto whole = [&](const CallTree& tree) { return static_cast<double>(tree.root().value(request.measure)); };
    const double here = shown.scaled_by_steps ? static_cast<double>(steps) : whole(shown.tree);
    const double there = shown.scaled_by_steps ? static_cast<double>(other_steps) : whole(before);
    shown.scale = there > 0 ? here / there : 0.0;
    return true;
}

}  // namespace

DurationNs ShownCalls::before(const CallNode& node) const {
    return static_cast<DurationNs>(std::llround(static_cast<double>(node.before_ns) * scale));
}

WorkClass ShownCalls::workOf(const CallNode& node) const {
    if (!isDeviceWork(node.category) || !node.longest.valid() || node.rank >= run->facts.ranks.size()) {
        return WorkClass::None;
    }
    const WorkClasses& classes = run->facts.ranks[node.rank].work_classes;
    const std::uint32_t track = node.longest.track.value;
    return track < classes.size() && node.longest.slice < classes[track].size() ? classes[track][node.longest.slice]
                                                                                : WorkClass::None;
}

Result<ShownCalls> showCalls(const CallsRequest& request, const std::stop_token& stop) {
    const std::vector<CallPart> parts = partsOf(request);
    Result<CallTree> made = callsIn(*request.run->run, parts, request.source, request.measure, stop);
    if (!made.ok()) {
        return Cancelled{};
    }
    ShownCalls shown;
    shown.run = request.run;
    shown.measure = request.measure;
    shown.bottom_up = request.bottom_up;
    shown.tree = turned(std::move(made).value(), request);
    if (request.before && !compare(shown, request, parts, stop)) {
        return Cancelled{};
    }
    if (request.fold) {
        shown.tree = folded(shown.tree, request.measure);
    }
    return shown;
}

}  // namespace rankscope::ui
