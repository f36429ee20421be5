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
/// The device streams of a rank. Those after Communication are of jobs with groups of their own.
enum class Stream : std::uint8_t {
    Compute,
    Communication,
    CopyIn,    ///< FSDP: what a gather sends is put together
    Gather,    ///< FSDP's all-gathers
    Scatter,   ///< FSDP's reduce-scatters
    Tensor,    ///< of the tensor group
    Next,      ///< sends and receives with the next stage of the pipeline
    Previous,  ///< with the one before
    Expert,    ///< of the expert group
    Context,   ///< of the context group
    Replicas,  ///< of the replicas of hybrid shards
};
inline constexpr std::size_t kStreams = 11;

[[nodiscard]] constexpr bool onDevice(EventKind kind) {
    return kind >= EventKind::Kernel;
}

/// What a runtime call waits for, where it is a synchronisation.
enum class SyncKind : std::uint8_t { None, StreamWaitEvent, StreamSync, ContextSync };

enum class CollectiveKind : std::uint8_t { AllReduce, Broadcast, AllGather, ReduceScatter, AllToAll, Send, Receive };
enum class ElementType : std::uint8_t { Float, Int, BFloat16 };

[[nodiscard]] constexpr std::int64_t bytesOf(ElementType type) {
    return type == ElementType::BFloat16 ? 2 : 4;
}

/// A collective that an event belongs to; none where elements is 0. Rank 0 broadcasts.
struct CollectiveCall {
    std::int64_t elements = 0;   ///< that this rank puts in
    std::uint64_t sequence = 0;  ///< c10d counts the calls of a group, and its sends and receives apart
    CollectiveKind kind = CollectiveKind::AllReduce;
    ElementType type = ElementType::Float;
    std::uint32_t group = 0;        ///< index in the job's groups; 0 has all ranks
    std::int64_t elements_out = 0;  ///< that it gets out; 0: as many
    std::int32_t peer = -1;         ///< of a send or receive: the other rank of the job
    std::uint64_t message = 0;      ///< of a send or receive: which one from this rank to that, over all groups
    StringId split_in = {};         ///< of AllToAll: how many rows go to each member
    StringId split_out = {};        ///< and how many come from each
    bool silent = false;            ///< the library that runs it tells the profiler nothing of it

    [[nodiscard]] constexpr bool valid() const { return elements > 0; }
    [[nodiscard]] constexpr bool isMessage() const {
        return kind == CollectiveKind::Send || kind == CollectiveKind::Receive;
    }
    [[nodiscard]] constexpr std::int64_t out() const { return elements_out > 0 ? elements_out : elements; }
};

/// Which part of a step a piece of work is, as only the simulator knows it. Nothing of it is written.
struct WorkLabel {
    enum class Pass : std::uint8_t { None, Forward, Backward, WeightGradient };
    Pass pass = Pass::None;
    std::int16_t unit = -1;         ///< the layer, counted over the whole model
    std::int16_t micro_batch = -1;  ///< of the pipeline
    std::int16_t chunk = 0;         ///< of the stage's layers
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
    WorkLabel label;
    SyncKind sync = SyncKind::None;
    Stream waits_for = Stream::Compute;    ///< of StreamWaitEvent: the stream that the event was recorded on
    std::uint64_t record_correlation = 0;  ///< of StreamWaitEvent: the call that recorded it. 0: not shown
};

}  // namespace rankscope::tracegen
