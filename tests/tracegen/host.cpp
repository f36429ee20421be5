// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/host.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace rankscope::tracegen {
namespace {

// So many launches may be under way; the next call waits.
constexpr std::size_t kQueueDepth = 1024;

}  // namespace

void Host::load(Program program, int step) {
    program_ = std::move(program);
    at_ = 0;
    step_ = step;
}

bool Host::run() {
    bool any = false;
    while (!done() && std::visit([this](const auto& instruction) { return execute(instruction); }, program_[at_])) {
        ++at_;
        any = true;
    }
    return any;
}

std::vector<Event> Host::takeEvents() {
    return std::exchange(events_, {});
}

std::uint64_t Host::innermost(bool python) const {
    const auto& open = stack();
    for (const Open& slice : std::views::reverse(open)) {
        const Event& event = events_[slice.event];
        if ((event.kind == EventKind::Python) == python) {
            return python ? event.python_id : event.external_id;
        }
    }
    return 0;
}

bool Host::execute(const OpenSlice& slice) {
    Event event;
    event.kind = slice.kind;
    event.thread = thread_;
    event.step = step_;
    event.name = slice.name;
    event.start_ns = now_ns_;
    event.sequence = slice.sequence;
    event.collective = slice.collective;
    if (slice.kind == EventKind::Python) {
        event.python_parent = innermost(true);
        event.python_id = next_python_id_++;
    } else {
        event.external_id = next_id_++;
    }
    Open open{events_.size(), std::nullopt};
    if (slice.kind == EventKind::UserAnnotation) {
        open.annotation = annotations_.open(event);
    }
    stack().push_back(open);
    events_.push_back(event);
    return true;
}

bool Host::execute(const CloseSlice& /*slice*/) {
    const Open closed = stack().back();
    stack().pop_back();
    events_[closed.event].end_ns = now_ns_;
    if (closed.annotation) {
        annotations_.close(*closed.annotation);
    }
    return true;
}

bool Host::execute(const HostWork& work) {
    now_ns_ += work.ns;
    return true;
}

Event& Host::addCall(StringId name, TimeNs end_ns) {
    Event event;
    event.kind = EventKind::Runtime;
    event.thread = thread_;
    event.step = step_;
    event.name = name;
    event.start_ns = now_ns_;
    event.end_ns = end_ns;
    event.external_id = innermost(false);
    event.correlation = next_correlation_++;
    events_.push_back(event);
    now_ns_ = end_ns;
    return events_.back();
}

bool Host::execute(const RuntimeCall& call) {
    addCall(call.name, now_ns_ + call.ns);
    return true;
}

std::optional<TimeNs> Host::roomAt() const {
    const auto oldest = device_.launchedBefore(kQueueDepth);
    return oldest ? device_.completion(*oldest) : std::optional(now_ns_);
}

LaunchRecord Host::launchRecord(std::uint64_t correlation) {
    LaunchRecord record;
    record.step = step_;
    record.external_id = innermost(false);
    record.correlation = correlation;
    for (const Open& open : stack()) {
        if (open.annotation) {
            record.annotations.push_back(*open.annotation);
            annotations_.launched(*open.annotation);
        }
    }
    return record;
}

bool Host::execute(const Launch& launch) {
    const auto describe = [&launch](Event& call) {
        call.kernel = launch.work.name;
        call.stream = launch.work.stream;
        call.bytes = launch.work.bytes;
    };
    if (!blocked_on_) {
        const auto room = roomAt();
        if (!room) {
            return false;
        }
        const TimeNs begin = std::max(now_ns_, *room);
        blocked_on_ = device_.submit(launch.work, begin + launch.latency_ns, launchRecord(next_correlation_));
        if (!launch.blocking) {
            blocked_on_.reset();
            describe(addCall(launch.call, begin + launch.call_ns));
            return true;
        }
    }
    const auto over = device_.completion(*blocked_on_);
    if (!over) {
        return false;
    }
    blocked_on_.reset();
    describe(addCall(launch.call, std::max(now_ns_, *over) + launch.call_ns));
    return true;
}

bool Host::execute(const MemoryChange& change) {
    Event event;
    event.kind = EventKind::Memory;
    event.thread = thread_;
    event.step = step_;
    event.start_ns = event.end_ns = now_ns_;
    event.bytes = change.bytes;
    event.allocated = change.allocated;
    event.reserved = change.reserved;
    events_.push_back(event);
    return true;
}

bool Host::execute(const RecordEvent& record) {
    device_.record(record.stream, record.event, now_ns_);
    Recorded& recorded = recorded_[record.event];
    recorded = {record.stream, 0};
    if (record.call.valid()) {
        recorded.correlation = addCall(record.call, now_ns_ + record.ns).correlation;
    }
    return true;
}

bool Host::execute(const WaitEvent& wait) {
    device_.wait(wait.stream, wait.event);
    Event& call = addCall(wait.call, now_ns_ + wait.ns);
    call.sync = SyncKind::StreamWaitEvent;
    call.stream = wait.stream;
    call.waits_for = recorded_[wait.event].stream;
    call.record_correlation = recorded_[wait.event].correlation;
    return true;
}

std::optional<TimeNs> Host::overAt(const Synchronize& sync) const {
    TimeNs over = now_ns_;
    for (const Stream stream : {Stream::Compute, Stream::Communication}) {
        if (sync.stream && *sync.stream != stream) {
            continue;
        }
        if (const auto last = device_.last(stream)) {
            const auto end = device_.completion(*last);
            if (!end) {
                return std::nullopt;
            }
            over = std::max(over, *end);
        }
    }
    return over;
}

bool Host::execute(const Synchronize& sync) {
    const auto over = overAt(sync);
    if (!over) {
        return false;
    }
    Event& call = addCall(sync.call, *over + sync.ns);
    call.sync = sync.stream ? SyncKind::StreamSync : SyncKind::ContextSync;
    call.stream = sync.stream.value_or(Stream::Compute);
    return true;
}

bool Host::execute(const AwaitBatch& /*batch*/) {
    now_ns_ = loader_.take(now_ns_);
    return true;
}

bool Host::execute(const UseThread& use) {
    thread_ = use.thread;
    return true;
}

}  // namespace rankscope::tracegen
