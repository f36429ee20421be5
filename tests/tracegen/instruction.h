// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "tests/tracegen/event.h"

namespace rankscope::tracegen {

// Instructions of a host thread that both simulators execute. Times are durations: when something happens, and how long
// a call that waits takes, comes out of the simulation.

struct OpenSlice {
    EventKind kind = EventKind::Operator;
    StringId name;
    std::int64_t sequence = -1;
    CollectiveCall collective;
};
struct CloseSlice {};
/// A runtime call that leaves nothing on the device.
struct RuntimeCall {
    StringId name;
    DurationNs ns = 0;
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
/// The host waits for all that was launched, to one stream or to all, or, in the machine, until an event is reached.
struct Synchronize {
    StringId call;
    DurationNs ns = 0;
    std::optional<Stream> stream = {};
    std::optional<std::uint32_t> event = {};
};

}  // namespace rankscope::tracegen
