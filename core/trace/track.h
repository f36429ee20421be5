// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/slice_table.h"
#include "core/trace/sparse_column.h"

namespace rankscope {

enum class TrackKind : std::uint8_t {
    CpuThread,         ///< a host thread: operators, Python, runtime calls
    Stream,            ///< kernels, copies and memsets of one stream of one device
    StreamAnnotation,  ///< gpu_user_annotation of a stream, separate since it overlaps the work
    StreamSync,        ///< cuda_sync rows of a stream
    Other,             ///< the profiler's own spans and overheads
};

/// The kind as in the JSON report: "cpu-thread", "stream", "stream-annotation", "stream-sync" or "other".
[[nodiscard]] std::string_view trackKindName(TrackKind kind);

/// The args of a collective that the analyses read, from the kernel and from `record_param_comms`. Absent numbers are
/// -1, absent texts invalid ids. Kineto writes them since 2023-10, Seq and Comms Id since 2026-03. Older files have
/// only `in_elements` and `dtype`, from the input tensors of operators and ranges of collectives.
struct CollectiveArgs {
    StringId name;        ///< `Collective name`, e.g. "allreduce"
    StringId dtype;       ///< e.g. "BFloat16"
    StringId group_name;  ///< `Process Group Name`: not unique over split groups
    StringId group_description;
    StringId group_ranks;  ///< `Process Group Ranks`, as written: cut after 30 ranks
    StringId comms_id;     ///< the same on all members
    std::int64_t in_elements = -1;
    std::int64_t out_elements = -1;
    std::int64_t sequence = -1;  ///< `Seq`; counted separately for point-to-point
    std::int32_t group_size = -1;
    std::int32_t rank = -1;           ///< `Rank`: on the CPU op only
    std::int32_t global_start = -1;   ///< `Global rank start`
    std::int32_t global_stride = -1;  ///< `Global rank stride`
    std::int32_t peer_src = -1;       ///< `Src Rank` of point-to-point and rooted operations
    std::int32_t peer_dst = -1;
    friend bool operator==(const CollectiveArgs&, const CollectiveArgs&) = default;
};

/// What a `cuda_sync` row waits for.
struct SyncArgs {
    StringId kind;                     ///< "Stream Sync", "Event Sync", "Stream Wait Event", "Context Sync"
    std::int64_t wait_on_stream = -1;  ///< -1 unknown
    std::int64_t event_record_correlation = -1;
    friend bool operator==(const SyncArgs&, const SyncArgs&) = default;
};

/// The inputs of an operator that multiplies matrices (record_shapes=True), as written in the file. Stored for
/// operators with a productOf(), and read by core/analysis/efficiency. Invalid ids for missing inputs.
struct OperatorInputs {
    StringId shapes;    ///< `Input Dims`: "[[64, 3, 224, 224], [64, 3, 7, 7], []]"
    StringId types;     ///< `Input type`: ["float", "float", ""]
    StringId values;    ///< `Concrete Inputs`, of arguments that are not tensors: ["", "", "[2, 2]"]
    double flops = -1;  ///< `flops` (with_flops=True); -1 if it was not recorded
    friend bool operator==(const OperatorInputs&, const OperatorInputs&) = default;
};

/// One row of the timeline: a host thread, or one stream of a device.
struct Track {
    TrackKind kind = TrackKind::Other;
    StringId process;             ///< pid as text: an OS process, or a device index
    StringId lane;                ///< tid or stream as text ("7" for the old dialect's "stream 7")
    std::int32_t device = -1;     ///< device index for stream kinds, else -1
    std::string name;             ///< for people: "stream 7", "thread 25738 (python)"
    std::uint16_t row_count = 0;  ///< 1 + greatest depth
    SliceTable slices;
    SparseColumn<std::int64_t> bytes;  ///< bytes of copies and memsets
    SparseColumn<CollectiveArgs> collectives;
    SparseColumn<SyncArgs> syncs;
    SparseColumn<OperatorInputs> inputs;  ///< inputs of operators that multiply matrices
    /// For kernels, or the calls that launch them: a hash of the grid and the block. Kernels with the same name and
    /// equal hashes were launched alike.
    SparseColumn<std::uint32_t> grids;

    /// Calls `visit` with each sparse column of `track`.
    template <class AnyTrack, class Visit>
    static void eachSparseColumn(AnyTrack& track, const Visit& visit) {
        visit(track.bytes);
        visit(track.collectives);
        visit(track.syncs);
        visit(track.inputs);
        visit(track.grids);
    }
    friend bool operator==(const Track&, const Track&) = default;
};

}  // namespace rankscope
