// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/device.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/tracegen/dice.h"

namespace rankscope::tracegen::machine {
namespace {

constexpr std::array<Stream, kStreams> kAllStreams = {
    Stream::Compute, Stream::Communication, Stream::CopyIn, Stream::Gather,  Stream::Scatter, Stream::Tensor,
    Stream::Next,    Stream::Previous,      Stream::Expert, Stream::Context, Stream::Replicas};
constexpr double kShortestNs = 500;

}  // namespace

double DeviceSpec::slowdownIn(int step) const {
    const auto at = static_cast<std::size_t>(step);
    return slowdown * (step >= 0 && at < step_slowdowns.size() ? step_slowdowns[at] : 1);
}

Device::Device(EventQueue& queue, Network& network, int rank, const DeviceSpec& spec, Done done)
    : queue_(queue), network_(network), rank_(rank), spec_(spec), done_(std::move(done)) {
    if (spec_.neighbour) {
        queue_.after(spec_.neighbour->every_ns, [this] { neighbourComes(); });
    }
}

std::size_t Device::pending() const {
    std::uint64_t pending = 0;
    for (const Lane& lane : lanes_) {
        pending += lane.submitted - lane.finished;
    }
    return pending;
}

void Device::push(Stream stream, Entry entry) {
    Lane& lane = laneOf(stream);
    lane.entries.push_back(std::move(entry));
    ++lane.submitted;
    pump(stream);
}

void Device::submit(DeviceWork work, DurationNs latency_ns) {
    Entry entry;
    entry.arrives_ns = queue_.now() + latency_ns;
    const Stream stream = work.stream;
    entry.work = std::move(work);
    push(stream, std::move(entry));
}

void Device::record(Stream stream, std::uint32_t event) {
    Entry entry;
    entry.what = What::Record;
    entry.mark = mark_of_event_[event] = next_mark_++;
    push(stream, std::move(entry));
}

void Device::wait(Stream stream, std::uint32_t event) {
    Entry entry;
    entry.what = What::Wait;
    entry.mark = mark_of_event_.at(event);
    push(stream, std::move(entry));
}

void Device::pop(Lane& lane) {
    lane.entries.pop_front();
    ++lane.finished;
}

bool Device::passMark(Lane& lane) {
    const Entry& first = lane.entries.front();
    if (first.what == What::Wait && !set_marks_.contains(first.mark)) {
        return false;
    }
    if (first.what == What::Record) {
        set_marks_.insert(first.mark);
        queue_.after(0, [this] { pumpAll(); });
    }
    pop(lane);
    return true;
}

void Device::pump(Stream stream) {
    Lane& lane = laneOf(stream);
    bool passed = false;
    while (!lane.running && !lane.entries.empty()) {
        const Entry& first = lane.entries.front();
        if (first.what != What::Work) {
            if (!passMark(lane)) {
                break;
            }
            passed = true;
            continue;
        }
        const TimeNs may_begin = std::max({first.arrives_ns, lane.free_ns + spec_.stream_gap_ns, taken_until_ns_});
        if (may_begin > queue_.now()) {
            queue_.at(may_begin, [this, stream] { pump(stream); });
            break;
        }
        begin(stream);
    }
    if (passed) {
        serveWaiters();
    }
}

void Device::pumpAll() {
    std::ranges::for_each(kAllStreams, [this](Stream stream) { pump(stream); });
}

double Device::paceOf(const DeviceWork& work) const {
    const double beside = communicating_ > 0 && work.kind == EventKind::Kernel ? spec_.beside_communication : 1;
    return 1 / (beside * (work.kind == EventKind::Kernel ? spec_.slowdownIn(work.step) : 1));
}

void Device::begin(Stream stream) {
    Lane& lane = laneOf(stream);
    const DeviceWork& work = lane.entries.front().work;
    lane.running = Running{queue_.now(), std::max(kShortestNs, static_cast<double>(work.ns)), queue_.now(), 1};
    if (work.communicates()) {
        communicate(stream);
        return;
    }
    lane.running->rate = paceOf(work);
    planEnd(stream);
}

void Device::communicate(Stream stream) {
    Lane& lane = laneOf(stream);
    const DeviceWork& work = lane.entries.front().work;
    ++communicating_;
    changePace();
    lane.running->open = work.batch.empty() ? 1 : work.batch.size();
    const auto over = [this, stream] {
        if (--laneOf(stream).running->open == 0) {
            end(stream);
        }
    };
    if (work.batch.empty()) {
        network_.join(work.collective, rank_, over);
    }
    for (const CollectiveCall& message : work.batch) {
        network_.join(message, rank_, over);
    }
}

void Device::planEnd(Stream stream) {
    Lane& lane = laneOf(stream);
    const std::uint64_t generation = ++lane.generation;
    queue_.after(std::llround(lane.running->left_ns / lane.running->rate), [this, stream, generation] {
        if (laneOf(stream).generation == generation) {
            end(stream);
        }
    });
}

void Device::changePace() {
    for (const Stream stream : kAllStreams) {
        Lane& lane = laneOf(stream);
        if (!lane.running || lane.entries.front().work.communicates()) {
            continue;
        }
        Running& running = *lane.running;
        running.left_ns -= static_cast<double>(queue_.now() - running.since_ns) * running.rate;
        running.left_ns = std::max(0.0, running.left_ns);
        running.since_ns = queue_.now();
        running.rate = paceOf(lane.entries.front().work);
        planEnd(stream);
    }
}

void Device::end(Stream stream) {
    Lane& lane = laneOf(stream);
    const DeviceWork work = std::move(lane.entries.front().work);
    const TimeSpan span{lane.running->start_ns, queue_.now()};
    lane.running.reset();
    lane.free_ns = queue_.now();
    pop(lane);
    if (work.communicates()) {
        --communicating_;
        changePace();
    }
    Event event = deviceEvent(work, work, span);
    event.label = work.label;
    done_(event, work);
    serveWaiters();
    pump(stream);
}

void Device::whenRoom(Action then) {
    Waiter waiter;
    waiter.room = true;
    waiter.then = std::move(then);
    waiters_.push_back(std::move(waiter));
    serveWaiters();
}

void Device::whenDone(std::optional<Stream> stream, Action then) {
    Waiter waiter;
    for (const Stream each : kAllStreams) {
        if (!stream || *stream == each) {
            waiter.finished.at(static_cast<std::size_t>(each)) = laneOf(each).submitted;
        }
    }
    waiter.then = std::move(then);
    waiters_.push_back(std::move(waiter));
    serveWaiters();
}

void Device::whenSet(std::uint32_t event, Action then) {
    Waiter waiter;
    waiter.mark = mark_of_event_.at(event);
    waiter.then = std::move(then);
    waiters_.push_back(std::move(waiter));
    serveWaiters();
}

void Device::serveWaiters() {
    const auto served = [this](const Waiter& waiter) {
        if (waiter.mark > 0) {
            return set_marks_.contains(waiter.mark);
        }
        if (waiter.room) {
            return hasRoom();
        }
        return std::ranges::all_of(kAllStreams, [&](Stream stream) {
            return laneOf(stream).finished >= waiter.finished.at(static_cast<std::size_t>(stream));
        });
    };
    std::vector<Action> now;
    for (const Waiter& waiter : waiters_) {
        if (served(waiter)) {
            now.push_back(waiter.then);
        }
    }
    if (now.empty()) {
        return;
    }
    std::erase_if(waiters_, served);
    for (Action& then : now) {
        queue_.after(0, std::move(then));
    }
}

void Device::neighbourComes() {
    const Neighbour& neighbour = *spec_.neighbour;
    Dice dice(spec_.seed, {0x51ce, static_cast<std::uint64_t>(rank_), slices_++});
    const DurationNs slice = dice.between(neighbour.shortest_ns, neighbour.longest_ns);
    taken_until_ns_ = queue_.now() + slice;
    queue_.after(slice + dice.around(neighbour.every_ns, 600), [this] { neighbourComes(); });
}

}  // namespace rankscope::tracegen::machine
