// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/machine/host_thread.h"

#include <utility>

namespace rankscope::tracegen::machine {
namespace {

// A thread that was asleep needs so long until it does something of its own.
constexpr DurationNs kWakeNs = 6'000;
// A call hands its work to the device after so much of its time, in per cent.
constexpr DurationNs kHandOver = 60;

}  // namespace

HostThread::HostThread(RankParts& parts, Thread thread)
    : parts_(parts), thread_(thread), id_(parts.scheduler.addThread()) {}

void HostThread::run(Program program, int step, HostThread* backward, std::vector<Program> backward_programs,
                     Action finished) {
    program_ = std::move(program);
    at_ = 0;
    step_ = step;
    backward_ = backward;
    backward_programs_ = std::move(backward_programs);
    finished_ = std::move(finished);
    goOnAfter(kWakeNs);
}

void HostThread::goOnAfter(DurationNs cpu_ns) {
    parts_.scheduler.work(id_, cpu_ns, [this] { advance(); });
}

void HostThread::advance() {
    while (at_ < program_.size()) {
        const Instruction& next = program_[at_++];
        if (!std::visit([this](const auto& instruction) { return execute(instruction); }, next)) {
            return;
        }
    }
    std::exchange(finished_, nullptr)();
}

std::uint64_t HostThread::innermost() const {
    return open_.empty() ? 0 : open_.back().event.external_id;
}

bool HostThread::execute(const OpenSlice& slice) {
    Open open;
    open.event.kind = slice.kind;
    open.event.thread = thread_;
    open.event.step = step_;
    open.event.name = slice.name;
    open.event.start_ns = parts_.queue.now();
    open.event.sequence = slice.sequence;
    open.event.collective = slice.collective;
    open.event.external_id = parts_.recording.nextOperator();
    if (slice.kind == EventKind::UserAnnotation) {
        open.annotation = parts_.recording.annotations().open(open.event);
    }
    open_.push_back(open);
    return true;
}

bool HostThread::execute(const CloseSlice& /*slice*/) {
    Open closed = open_.back();
    open_.pop_back();
    closed.event.end_ns = parts_.queue.now();
    parts_.recording.add(closed.event);
    if (closed.annotation) {
        parts_.recording.annotations().close(*closed.annotation);
    }
    return true;
}

bool HostThread::execute(const Compute& work) {
    goOnAfter(work.ns);
    return false;
}

bool HostThread::execute(const Rest& rest) {
    parts_.queue.after(rest.ns, [this] { goOnAfter(kWakeNs); });
    return false;
}

Event& HostThread::beginCall(StringId name) {
    call_ = Event{};
    call_.kind = EventKind::Runtime;
    call_.thread = thread_;
    call_.step = step_;
    call_.name = name;
    call_.start_ns = parts_.queue.now();
    call_.external_id = innermost();
    call_.correlation = parts_.recording.nextCorrelation();
    return call_;
}

void HostThread::endCallAfter(DurationNs cpu_ns) {
    parts_.scheduler.work(id_, cpu_ns, [this] {
        call_.end_ns = parts_.queue.now();
        parts_.recording.add(call_);
        advance();
    });
}

template <typename Wait>
void HostThread::spinUntil(const Wait& wait, Action then) {
    parts_.scheduler.spin(id_, std::move(then));
    wait([this] { parts_.scheduler.release(id_); });
}

void HostThread::handOver(const Launch& launch) {
    for (DeviceWork work : launch.work) {
        work.step = step_;
        work.external_id = innermost();
        work.correlation = call_.correlation;
        for (const Open& open : open_) {
            if (open.annotation) {
                work.annotations.push_back(*open.annotation);
                parts_.recording.annotations().launched(*open.annotation);
            }
        }
        parts_.device.submit(std::move(work), launch.latency_ns);
    }
    const DurationNs rest_ns = launch.call_ns - launch.call_ns * kHandOver / 100;
    if (!launch.blocking) {
        endCallAfter(rest_ns);
        return;
    }
    const Stream stream = launch.work.front().stream;
    spinUntil([&](Action over) { parts_.device.whenDone(stream, std::move(over)); },
              [this, rest_ns] { endCallAfter(rest_ns); });
}

bool HostThread::execute(const Launch& launch) {
    Event& call = beginCall(launch.call);
    call.kernel = launch.work.front().name;
    call.stream = launch.work.front().stream;
    call.bytes = launch.work.front().bytes;
    const auto begin = [this, &launch] {
        parts_.scheduler.work(id_, launch.call_ns * kHandOver / 100, [this, &launch] { handOver(launch); });
    };
    if (parts_.device.hasRoom()) {
        begin();
    } else {
        spinUntil([&](Action room) { parts_.device.whenRoom(std::move(room)); }, begin);
    }
    return false;
}

bool HostThread::execute(const RecordEvent& record) {
    beginCall(record.call);
    parts_.device.record(record.stream, record.event);
    parts_.recorded[record.event] = {record.stream, call_.correlation};
    endCallAfter(record.ns);
    return false;
}

bool HostThread::execute(const WaitEvent& wait) {
    Event& call = beginCall(wait.call);
    parts_.device.wait(wait.stream, wait.event);
    call.sync = SyncKind::StreamWaitEvent;
    call.stream = wait.stream;
    call.waits_for = parts_.recorded.at(wait.event).stream;
    call.record_correlation = parts_.recorded.at(wait.event).correlation;
    endCallAfter(wait.ns);
    return false;
}

bool HostThread::execute(const Synchronize& sync) {
    Event& call = beginCall(sync.call);
    if (sync.event) {
        spinUntil([&](Action set) { parts_.device.whenSet(*sync.event, std::move(set)); },
                  [this, ns = sync.ns] { endCallAfter(ns); });
        return false;
    }
    call.sync = sync.stream ? SyncKind::StreamSync : SyncKind::ContextSync;
    call.stream = sync.stream.value_or(Stream::Compute);
    spinUntil([&](Action over) { parts_.device.whenDone(sync.stream, std::move(over)); },
              [this, ns = sync.ns] { endCallAfter(ns); });
    return false;
}

bool HostThread::execute(const RuntimeCall& call) {
    beginCall(call.name);
    endCallAfter(call.ns);
    return false;
}

bool HostThread::execute(const TakeBatch& /*take*/) {
    parts_.loader->take([this] { goOnAfter(kWakeNs); });
    return false;
}

bool HostThread::execute(const RunBackward& run) {
    backward_->run(std::move(backward_programs_.at(run.program)), step_, nullptr, {}, [this] { goOnAfter(kWakeNs); });
    return false;
}

}  // namespace rankscope::tracegen::machine
