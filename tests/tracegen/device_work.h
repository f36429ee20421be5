// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "tests/tracegen/event.h"

namespace rankscope::tracegen {

/// What a launch puts on a stream: a kernel or a copy.
struct DeviceWork {
    EventKind kind = EventKind::Kernel;
    Stream stream = Stream::Compute;
    StringId name;
    DurationNs ns = 0;  ///< alone on a device of usual speed; of collectives the transfer, where no network decides it
    std::int64_t bytes = 0;
    CollectiveCall collective;
};

/// What the host knows of a piece of work that it launches.
struct LaunchRecord {
    int step = 0;
    std::uint64_t external_id = 0;
    std::uint64_t correlation = 0;
    std::vector<std::uint32_t> annotations;  ///< the user annotations open around the launch
};

/// The event of a piece of work that ran.
[[nodiscard]] inline Event deviceEvent(const DeviceWork& work, const LaunchRecord& record, TimeSpan span) {
    Event event;
    event.kind = work.kind;
    event.stream = work.stream;
    event.step = record.step;
    event.name = work.name;
    event.start_ns = span.start_ns;
    event.end_ns = span.end_ns;
    event.external_id = record.external_id;
    event.correlation = record.correlation;
    event.bytes = work.bytes;
    event.collective = work.collective;
    return event;
}

}  // namespace rankscope::tracegen
