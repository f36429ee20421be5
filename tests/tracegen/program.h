// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <variant>
#include <vector>

#include "tests/tracegen/device_work.h"
#include "tests/tracegen/instruction.h"

namespace rankscope::tracegen {

/// Host time inside the innermost open slice.
struct HostWork {
    DurationNs ns = 0;
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
