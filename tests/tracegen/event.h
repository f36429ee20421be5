// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope::tracegen {

enum class EventKind : std::uint8_t {
    Operator,
    UserAnnotation,
    Python,
    Runtime,
    Memory,  ///< of the caching allocator, at one moment
    Kernel,
    Memcpy,
    GpuAnnotation,
};

/// The host threads of a rank.
enum class Thread : std::uint8_t { Main, Autograd };
/// The device streams of a rank.
enum class Stream : std::uint8_t { Compute, Communication };
inline constexpr std::size_t kStreams = 2;

[[nodiscard]] constexpr bool onDevice(EventKind kind) {
    return kind >= EventKind::Kernel;
}

/// What a runtime call waits for, where it is a synchronisation.
enum class SyncKind : std::uint8_t { None, StreamWaitEvent, StreamSync, ContextSync };

enum class CollectiveKind : std::uint8_t { AllReduce, Broadcast };
enum class ElementType : std::uint8_t { Float, Int };

/// A collective that an event belongs to; none where elements is 0. Elements are of 4 bytes; rank 0 broadcasts.
struct CollectiveCall {
    std::int64_t elements = 0;
    std::uint64_t sequence = 0;
    CollectiveKind kind = CollectiveKind::AllReduce;
    ElementType type = ElementType::Float;

    [[nodiscard]] constexpr bool valid() const { return elements > 0; }
};

/// One complete event, in true time: nanoseconds from the start of the window.
struct Event {
    EventKind kind = EventKind::Operator;
    Thread thread = Thread::Main;     ///< of host events
    Stream stream = Stream::Compute;  ///< of device events and of launches
    int step = 0;  ///< index of the step that it was called or launched in; before the window negative
    StringId name;
    StringId kernel;  ///< of a launch: what it launched
    TimeNs start_ns = 0;
    TimeNs end_ns = 0;
    /// An operator's own number; of runtime calls and device events the innermost operator's. 0: none.
    std::uint64_t external_id = 0;
    std::uint64_t correlation = 0;  ///< joins launch and device event. 0: none
    std::uint64_t python_id = 0;
    std::uint64_t python_parent = 0;  ///< 0: none
    std::int64_t sequence = -1;       ///< of autograd, shared by a forward operator and its backward. -1: none
    std::int64_t bytes = 0;           ///< of copies; of Memory what is allocated, or freed where it is negative
    std::int64_t allocated = 0;       ///< of Memory: in use after it
    std::int64_t reserved = 0;        ///< of Memory: held by the allocator
    CollectiveCall collective;
    SyncKind sync = SyncKind::None;
    Stream waits_for = Stream::Compute;    ///< of StreamWaitEvent: the stream that the event was recorded on
    std::uint64_t record_correlation = 0;  ///< of StreamWaitEvent: the call that recorded it. 0: not shown
};

}  // namespace rankscope::tracegen
