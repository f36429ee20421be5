// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/model_builder.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace rankscope::test {
namespace {

TimeNs nanoseconds(double us) {
    return std::llround(us * 1000.0);
}

}  // namespace

std::uint32_t ModelBuilder::thread(std::string_view name, std::string_view process) {
    Track track;
    track.kind = TrackKind::CpuThread;
    track.process = trace_.strings.intern(process);
    track.lane = trace_.strings.intern(name);
    track.name = name;
    trace_.tracks.push_back(std::move(track));
    added_.emplace_back();
    return static_cast<std::uint32_t>(added_.size() - 1);
}

std::uint32_t ModelBuilder::stream(std::string_view lane, std::int32_t device) {
    const std::uint32_t track = thread(lane, std::to_string(device));
    trace_.tracks[track].kind = TrackKind::Stream;
    trace_.tracks[track].device = device;
    return track;
}

ModelBuilder::Handle ModelBuilder::slice(std::uint32_t track, Category category, std::string_view name, double start_us,
                                         double length_us) {
    added_[track].push_back({category,
                             trace_.strings.intern(name),
                             {nanoseconds(start_us), nanoseconds(start_us) + nanoseconds(length_us)}});
    return {track, static_cast<std::uint32_t>(added_[track].size() - 1)};
}

ModelBuilder::Handle ModelBuilder::kernel(std::uint32_t thread, double call_at_us, double call_us, std::uint32_t stream,
                                          std::string_view name, double start_us, double length_us) {
    const Handle host = call(thread, "cudaLaunchKernel", call_at_us, call_us);
    const Handle device = slice(stream, Category::Kernel, name, start_us, length_us);
    launch(host, device);
    return device;
}

void ModelBuilder::collective(Handle kernel, std::string_view name, std::int64_t elements) {
    CollectiveArgs args;
    args.name = trace_.strings.intern(name);
    args.dtype = trace_.strings.intern("Float");
    args.in_elements = elements;
    args.out_elements = elements;
    collectives_.push_back({kernel, args});
}

void ModelBuilder::collective(Handle kernel, std::string_view name, std::int64_t elements, const ProcessGroup& group) {
    collective(kernel, name, elements);
    CollectiveArgs& args = collectives_.back().args;
    args.group_name = trace_.strings.intern(group.name);
    args.group_description = trace_.strings.intern(group.description);
    args.group_size = static_cast<std::int32_t>(group.ranks.size());
}

void ModelBuilder::message(Handle slice, bool sends, std::int32_t peer, std::int64_t elements,
                           const ProcessGroup& group) {
    collective(slice, sends ? "send" : "recv", elements, group);
    (sends ? collectives_.back().args.peer_dst : collectives_.back().args.peer_src) = peer;
}

void ModelBuilder::rank(std::int32_t number, std::int32_t world_size) {
    trace_.rank = RankNumber(number);
    trace_.world_size = world_size;
}

void ModelBuilder::memory(double at_us, std::int64_t allocated, std::int64_t reserved) {
    trace_.memory.at_ns.push_back(nanoseconds(at_us));
    trace_.memory.bytes.push_back(0);
    trace_.memory.address.push_back(0);
    trace_.memory.total_allocated.push_back(allocated);
    trace_.memory.total_reserved.push_back(reserved);
    trace_.memory.device.push_back(0);
}

void ModelBuilder::sensor(double at_us, Sensor sensor, double value) {
    trace_.sensors.at_ns.push_back(nanoseconds(at_us));
    trace_.sensors.sensor.push_back(sensor);
    trace_.sensors.device.push_back(0);
    trace_.sensors.value.push_back(std::llround(value * 1000));
}

void ModelBuilder::block(double at_us, std::uint64_t address, std::int64_t bytes, std::int64_t before) {
    MemoryTable& memory = trace_.memory;
    const std::int64_t allocated = (memory.size() == 0 ? before : memory.total_allocated.back()) + bytes;
    const std::int64_t reserved = memory.size() == 0 ? 0 : memory.total_reserved.back();
    memory.at_ns.push_back(nanoseconds(at_us));
    memory.bytes.push_back(bytes);
    memory.address.push_back(address);
    memory.total_allocated.push_back(allocated);
    memory.total_reserved.push_back(std::max(allocated, reserved));
    memory.device.push_back(0);
}

void ModelBuilder::fillTrack(std::uint32_t track) {
    const std::vector<Added>& added = added_[track];
    std::vector<std::uint32_t> order(added.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {},
                             [&](std::uint32_t i) { return std::pair(added[i].span.start_ns, -added[i].span.end_ns); });
    SliceTable& slices = trace_.tracks[track].slices;
    slices.resize(added.size());
    index_of_[track].resize(added.size());
    std::vector<SliceIndex> open;
    for (SliceIndex i = 0; i < order.size(); ++i) {
        const Added& slice = added[order[i]];
        index_of_[track][order[i]] = i;
        while (!open.empty() && slices.end_ns[open.back()] <= slice.span.start_ns) {
            open.pop_back();
        }
        slices.start_ns[i] = slice.span.start_ns;
        slices.end_ns[i] = slice.span.end_ns;
        slices.name[i] = slice.name;
        slices.category[i] = slice.category;
        slices.parent[i] = open.empty() ? kNoSlice : open.back();
        slices.depth[i] = static_cast<std::uint16_t>(open.size());
        open.push_back(i);
        const TimeNs first_ns = trace_.window.empty() ? slice.span.start_ns : trace_.window.start_ns;
        trace_.window.start_ns = std::min(first_ns, slice.span.start_ns);
        trace_.window.end_ns = std::max(trace_.window.end_ns, slice.span.end_ns);
    }
}

SliceRef ModelBuilder::ref(Handle handle) const {
    return {TrackId(handle.track), index_of_[handle.track][handle.order]};
}

std::shared_ptr<const RankTrace> ModelBuilder::build() {
    index_of_.assign(added_.size(), {});
    for (std::uint32_t t = 0; t < added_.size(); ++t) {
        fillTrack(t);
    }
    std::vector<Launch> launches;
    for (const Pair& pair : launches_) {
        launches.push_back({ref(pair.host), ref(pair.device)});
    }
    for (const Pair& pair : flows_) {
        trace_.flows.push_back({ref(pair.host), ref(pair.device)});
    }
    std::ranges::sort(trace_.flows, {}, &Flow::from);
    trace_.launches = LaunchTable(std::move(launches));
    std::ranges::sort(bytes_, {}, [this](const Sized& s) { return ref(s.copy); });
    for (const Sized& sized : bytes_) {
        trace_.tracks[sized.copy.track].bytes.slice.push_back(ref(sized.copy).slice);
        trace_.tracks[sized.copy.track].bytes.value.push_back(sized.count);
    }
    std::ranges::sort(grids_, {}, [this](const Sized& s) { return ref(s.copy); });
    for (const Sized& sized : grids_) {
        trace_.tracks[sized.copy.track].grids.slice.push_back(ref(sized.copy).slice);
        trace_.tracks[sized.copy.track].grids.value.push_back(static_cast<std::uint32_t>(sized.count));
    }
    std::ranges::sort(collectives_, {}, [this](const Collective& c) { return ref(c.kernel); });
    for (const Collective& collective : collectives_) {
        trace_.tracks[collective.kernel.track].collectives.slice.push_back(ref(collective.kernel).slice);
        trace_.tracks[collective.kernel.track].collectives.value.push_back(collective.args);
    }
    return std::make_shared<const RankTrace>(std::move(trace_));
}

ThreadAndStream threadAndStream(std::string_view thread) {
    ThreadAndStream made;
    made.thread = made.model.thread(thread);
    made.stream = made.model.stream("7");
    return made;
}

std::shared_ptr<const Run> runOf(std::vector<std::shared_ptr<const RankTrace>> ranks) {
    Run run;
    run.name = "test";
    run.ranks = std::move(ranks);
    return std::make_shared<const Run>(std::move(run));
}

}  // namespace rankscope::test
