// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/trace/category.h"
#include "core/trace/product_operators.h"

namespace rankscope {

/// The args that become columns. All others are read back from the file when a slice is clicked.
enum class Arg : std::uint8_t {
    Correlation,
    Device,
    Stream,
    Bytes,
    Name,  // in metadata events
    CollectiveName,
    Dtype,
    InElements,
    OutElements,
    GroupSize,
    GroupName,
    GroupDescription,
    GroupRanks,
    Sequence,
    CommsId,
    Rank,
    GlobalStart,
    GlobalStride,
    SrcRank,
    DstRank,
    SyncKind,
    WaitOnStream,
    WaitOnRecord,
    TotalAllocated,
    TotalReserved,
    DeviceId,
    MergedRank,  // "rank" and "pid_raw", which tools that merge the files of several ranks add to each event
    PidRaw,
    Addr,       // in memory events
    Labels,     // in metadata events
    InputDims,  // in operators, ranges of collectives and operators that multiply; lists as written
    InputType,
    ConcreteInputs,
    Flops,
    Grid,  // in kernels and launch calls; lists as written
    Block,
    Series,  // in counter events: all args, an object as written
    Count,
};

/// One event as text, not yet interpreted: views into the batch, strings without their quotes and still escaped,
/// numbers as written. Missing fields are empty.
struct EventText {
    std::string_view phase;
    std::string_view category_text;
    std::string_view name;
    std::string_view pid;
    std::string_view tid;
    std::string_view ts;
    std::string_view dur;
    std::string_view id;
    std::array<std::string_view, static_cast<std::size_t>(Arg::Count)> args;
    Category category = Category::Other;
    bool has_args = false;  ///< any of `args` is set

    /// Resets it to an event without fields. Few events have args, and clearing all of them is expensive.
    void clear() {
        phase = category_text = name = pid = tid = ts = dur = id = {};
        category = Category::Other;
        if (has_args) {
            args.fill({});
            has_args = false;
        }
    }

    /// The text of one arg: a string without its quotes and still escaped, a number as written; empty if the event
    /// does not have that arg.
    [[nodiscard]] std::string_view arg(Arg which) const { return args[static_cast<std::size_t>(which)]; }
};

/// Whether such an event has args that become a column.
[[nodiscard]] inline bool readsArgs(const EventText& event) {
    switch (event.category) {
        case Category::Kernel:
        case Category::Memcpy:
        case Category::Memset:
        case Category::Runtime:
        case Category::Driver:
        case Category::CudaSync: return true;
        case Category::CpuOp:
            return event.name == "record_param_comms" || event.name.starts_with("c10d::") ||
                   productOf(event.name) != Product::None;
        case Category::UserAnnotation: return event.name.starts_with("nccl:") || event.name.starts_with("gloo:");
        default: return event.phase == "M" || event.name == "[memory]";
    }
}

}  // namespace rankscope
