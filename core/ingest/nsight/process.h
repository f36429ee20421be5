// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ingest/assembly/partial_trace.h"
#include "core/ingest/nsight/export.h"

namespace rankscope::nsight {

/// A call of NCCL, by the range that NCCL itself writes to NVTX.
struct NcclCall {
    std::int64_t thread = 0;
    TimeSpan span;
    std::string name;                   ///< "ncclAllReduce"
    std::uint64_t communicator = 0;     ///< 0 unknown
    std::optional<std::int64_t> bytes;  ///< as given to NCCL: all-gather counts what a rank sends, reduce-scatter what
                                        ///< it receives
    std::optional<std::int32_t> peer;   ///< root of rooted calls
};

/// A rank in a communicator.
struct NcclMember {
    std::int32_t rank = -1;
    std::int32_t size = -1;
};

/// The slice that a row becomes.
struct Row {
    EventSource place;
    TimeNs start_ns = 0;
    TimeNs end_ns = 0;
    Category category = Category::Other;
    std::string_view name;
    std::int64_t correlation = 0;
};

/// One process of an export: its slices, and what NCCL says of it.
struct Process {
    PartialTrace part;
    std::int64_t pid = 0;
    std::uint64_t device_rows = 0;
    std::uint64_t open_ranges = 0;   ///< NVTX ranges that do not end in the recording
    std::uint64_t graphs = 0;        ///< launches of graphs whose inside was not recorded
    std::set<std::int64_t> devices;  ///< that it works on
    std::vector<NcclCall> nccl;
    std::map<std::uint64_t, NcclMember> communicators;
    struct Launch {
        std::int64_t thread = 0;
        TimeNs at_ns = 0;
    };
    std::unordered_map<std::int64_t, Launch> nccl_launches;  ///< by correlation, of NCCL's kernels

    /// Adds a row to the track of this kind, process and lane, and returns the track. Rows whose times are no times are
    /// counted, and add nothing.
    PartialTrack* add(TrackKind kind, std::int64_t process, std::int64_t lane, const Row& row);

  private:
    struct TrackKey {
        TrackKind kind;
        std::int64_t process;
        std::int64_t lane;
        friend auto operator<=>(const TrackKey&, const TrackKey&) = default;
    };
    std::map<TrackKey, std::size_t> tracks_;
};

/// The processes of an export by their global id, with all their rows. Stops early if asked to.
[[nodiscard]] std::map<std::int64_t, Process> readProcesses(const Export& from, const std::stop_token& stop);

/// Gives NCCL's kernels the size, communicator and members of their call, where the call is certain: its range contains
/// the launch, and is the only one in its group.
void addNcclArgs(Process& process);

}  // namespace rankscope::nsight
