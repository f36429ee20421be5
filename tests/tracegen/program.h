// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "tests/tracegen/event.h"

namespace rankscope::tracegen {

// What a host thread does, one instruction after the other. Times are durations: when something happens, and how long
// a call that waits takes, comes out of the simulation.

struct OpenSlice {
    EventKind kind = EventKind::Operator;
    StringId name;
    std::int64_t sequence = -1;
    CollectiveCall collective;
};
struct CloseSlice {};
/// Host time inside the innermost open slice.
struct HostWork {
    DurationNs ns = 0;
};
/// A runtime call that leaves nothing on the device.
struct RuntimeCall {
    StringId name;
    DurationNs ns = 0;
};
/// What a launch puts on a stream.
struct DeviceWork {
    EventKind kind = EventKind::Kernel;
    Stream stream = Stream::Compute;
    StringId name;
    DurationNs ns = 0;  ///< of collectives: the transfer, without the waiting
    std::int64_t bytes = 0;
    CollectiveCall collective;
};
struct Launch {
    StringId call;
    DurationNs call_ns = 0;     ///< of the call alone
    DurationNs latency_ns = 0;  ///< from the start of the call to the earliest start on the device
    bool blocking = false;      ///< the call returns when the device is done with it
    DeviceWork work;
};
/// The caching allocator gives or takes back memory of the device, which costs the host nothing.
struct MemoryChange {
    std::int64_t bytes = 0;
    std::int64_t allocated = 0;
    std::int64_t reserved = 0;
};
/// Names a point of a stream, for WaitEvent. An invalid call is one that the profiler does not show.
struct RecordEvent {
    StringId call;
    DurationNs ns = 0;
    Stream stream = Stream::Compute;
    std::uint32_t event = 0;
};
/// Later work of `stream` waits for the point.
struct WaitEvent {
    StringId call;
    DurationNs ns = 0;
    Stream stream = Stream::Compute;
    std::uint32_t event = 0;
};
/// The host waits for all that was launched: to one stream, or to all.
struct Synchronize {
    StringId call;
    DurationNs ns = 0;
    std::optional<Stream> stream;
};
/// The host waits until a worker has made the batch of this step.
struct AwaitBatch {};
/// What follows happens on this thread; the other one waits.
struct UseThread {
    Thread thread = Thread::Main;
};

using Instruction = std::variant<OpenSlice, CloseSlice, HostWork, RuntimeCall, Launch, MemoryChange, RecordEvent,
                                 WaitEvent, Synchronize, AwaitBatch, UseThread>;
/// All of one step of one rank.
using Program = std::vector<Instruction>;

}  // namespace rankscope::tracegen
