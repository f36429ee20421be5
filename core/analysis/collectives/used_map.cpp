// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/used_map.h"

#include <algorithm>
#include <optional>

#include "core/analysis/collectives/collective_names.h"
#include "core/analysis/steps/step_bounds.h"

namespace rankscope {
namespace {

/// What one thread launched in one step, in order.
using Launched = std::vector<const DeviceEvent*>;

bool copiesToDevice(const RankContext& work, const DeviceEvent& event) {
    return event.work == WorkClass::Copy &&
           work.names.copiesToDevice(work.trace->track(event.ref).slices.name[event.ref.slice]);
}

bool copiesToHost(const RankContext& work, const DeviceEvent& event) {
    return event.work == WorkClass::Copy &&
           work.names.copiesToHost(work.trace->track(event.ref).slices.name[event.ref.slice]);
}

/// The args of a collective, from its kernel or from an operator around its launch; nullptr if none are recorded.
const CollectiveArgs* argsOf(const RankContext& work, const DeviceEvent& event) {
    if (const CollectiveArgs* const args = work.trace->track(event.ref).collectives.find(event.ref.slice)) {
        return args;
    }
    const Track& host = work.trace->track(event.launch);
    for (SliceIndex at = host.slices.parent[event.launch.slice]; at != kNoSlice; at = host.slices.parent[at]) {
        if (const CollectiveArgs* const args = host.collectives.find(at)) {
            return args;
        }
    }
    return nullptr;
}

bool isAllReduce(const RankContext& work, const DeviceEvent& event) {
    if (event.work != WorkClass::Communication) {
        return false;
    }
    const SliceRef op = collectiveAround(work, event.launch);
    return collectiveKindOf(work.trace->name(op.valid() ? op : event.ref)) == CollectiveKind::AllReduce;
}

/// The index in `launched` of the all-reduce of the map.
std::optional<std::size_t> findAllReduce(const RankContext& work, const Launched& launched) {
    for (std::size_t i = launched.size(); i-- > 0;) {
        if (!isAllReduce(work, *launched[i])) {
            continue;
        }
        const CollectiveArgs* const args = argsOf(work, *launched[i]);
        if (args != nullptr && args->dtype.valid()) {
            if (work.trace->strings.view(args->dtype) == "Int") {
                return i;
            }
            continue;
        }
        return i > 0 && copiesToDevice(work, *launched[i - 1]) ? std::optional(i) : std::nullopt;
    }
    return std::nullopt;
}

/// The outermost ATen operator around a launch, or the launch itself.
SliceRef operatorAround(const RankContext& work, SliceRef launch) {
    const SliceTable& slices = work.trace->track(launch).slices;
    SliceRef outermost = launch;
    for (SliceIndex at = slices.parent[launch.slice]; at != kNoSlice; at = slices.parent[at]) {
        if (work.names.isAten(slices.name[at])) {
            outermost.slice = at;
        }
    }
    return outermost;
}

void add(UsedMap& map, const DeviceEvent& event, SliceRef host) {
    map.device.push_back(event.ref);
    if (map.host.empty() || map.host.back() != host) {
        map.host.push_back(host);
    }
}

std::optional<UsedMap> usedMapOf(const RankContext& work, const Launched& launched, RankStepPosition step) {
    const auto at = findAllReduce(work, launched);
    if (!at) {
        return std::nullopt;
    }
    UsedMap map;
    map.step = step;
    if (*at > 0 && copiesToDevice(work, *launched[*at - 1])) {
        add(map, *launched[*at - 1], operatorAround(work, launched[*at - 1]->launch));
    }
    const SliceRef collective = collectiveAround(work, launched[*at]->launch);
    add(map, *launched[*at], collective.valid() ? collective : launched[*at]->launch);
    const auto back = std::find_if(launched.begin() + static_cast<std::ptrdiff_t>(*at), launched.end(),
                                   [&work](const DeviceEvent* event) { return copiesToHost(work, *event); });
    if (back != launched.end()) {
        add(map, **back, operatorAround(work, (*back)->launch));
    }
    return map;
}

/// The steps in which DDP searched for unused parameters.
std::vector<bool> stepsWithSearch(const RankContext& work) {
    std::vector<bool> searched(work.marks.marks.size(), false);
    for (const HostThread& thread : work.threads.all()) {
        for (const SliceIndex i : thread.reducers) {
            const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
            if (work.names.reducerPart(slices.name[i]) == ReducerPart::SearchUnused) {
                if (const auto step = slotOf(work.marks.marks, slices.start_ns[i]).step()) {
                    searched[*step] = true;
                }
            }
        }
    }
    return searched;
}

}  // namespace

SliceRef collectiveAround(const RankContext& work, SliceRef launch) {
    SliceRef outermost;
    if (!launch.valid()) {
        return outermost;
    }
    const SliceTable& slices = work.trace->track(launch).slices;
    for (SliceIndex at = slices.parent[launch.slice]; at != kNoSlice; at = slices.parent[at]) {
        if (work.names.communicates(slices.name[at])) {
            outermost = {launch.track, at};
        }
    }
    return outermost;
}

std::vector<UsedMap> findUsedMaps(const RankContext& work) {
    const std::vector<bool> searched = stepsWithSearch(work);
    if (std::ranges::find(searched, true) == searched.end()) {
        return {};
    }
    std::vector<std::vector<Launched>> by_step(searched.size());  // by step, and by the thread that sends
    std::vector<TrackId> threads;
    for (const DeviceEvent& event : work.device.events) {
        if (event.launch.valid() && event.work == WorkClass::Communication &&
            std::ranges::find(threads, event.launch.track) == threads.end()) {
            threads.push_back(event.launch.track);
        }
    }
    for (const DeviceEvent& event : work.device.events) {
        const std::optional<RankStepPosition> step = slotOf(work.marks.marks, event.launched_ns).step();
        const auto thread = std::ranges::find(threads, event.launch.track);
        if (event.launch.valid() && step && searched[*step] && thread != threads.end()) {
            by_step[*step].resize(threads.size());
            by_step[*step][static_cast<std::size_t>(thread - threads.begin())].push_back(&event);
        }
    }
    std::vector<UsedMap> maps;
    for (RankStepPosition step{0}; step < by_step.size(); ++step) {
        for (Launched& launched : by_step[step]) {
            std::ranges::stable_sort(launched, {}, [](const DeviceEvent* e) { return e->launched_ns; });
            if (auto map = usedMapOf(work, launched, step)) {
                maps.push_back(std::move(*map));
            }
        }
    }
    return maps;
}

}  // namespace rankscope
