// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/string_pool.h"
#include "core/base/time.h"
#include "core/trace/health.h"
#include "core/trace/launch_table.h"
#include "core/trace/sensor_table.h"
#include "core/trace/track.h"

namespace rankscope {

class SeekIndex;  // core/ingest/files/seek_index.h: how to find a byte of a compressed file again

/// One file a rank trace was read from.
struct TraceFile {
    std::string path;              ///< as the user gave it; "archive.zip" for a member of a zip
    std::string member;            ///< name inside a zip, else empty
    std::uint64_t bytes = 0;       ///< on disk
    std::uint64_t json_bytes = 0;  ///< uncompressed
    std::int64_t modified_ns = 0;  ///< Unix time, to notice that it changed since; 0 unknown
    TimeSpan window;               ///< first start to last end of its slices, file clock
    std::shared_ptr<const SeekIndex> seek_index;
    std::string digest{};  ///< the file that was read instead, as the user named it; empty if the file itself was read
    /// CRC-64 of its bytes on disk, if it is known from a digest that was read instead.
    std::optional<std::uint64_t> content_hash{};
};

/// A device as `deviceProperties` describes it. It lists all visible devices, not only the one that was used.
struct DeviceProperties {
    std::int32_t id = -1;
    std::string name;
    std::uint64_t total_memory_bytes = 0;
    std::int32_t multiprocessors = 0;
    friend bool operator==(const DeviceProperties&, const DeviceProperties&) = default;
};

/// A process group of `distributedInfo.pg_config`: the full membership, unlike the args of collectives.
struct ProcessGroup {
    std::string name;
    std::string description;
    std::string backend;
    std::int32_t size = -1;
    std::vector<RankNumber> ranks;
    friend bool operator==(const ProcessGroup&, const ProcessGroup&) = default;
};

/// The source of the rank number, best first.
enum class RankOrigin : std::uint8_t {
    DistributedInfo,
    EventArgs,    ///< `args.rank` of the events, as TraceFuse writes it into a file of several ranks
    ProcessName,  ///< the name of its process: "RANK 1 - GPU"
    CollectiveArgs,
    FileName,
    FolderName,
    Order,
    Unknown
};

/// A flow between two slices: from a forward operator to its backward operator, or another one.
struct Flow {
    SliceRef from;
    SliceRef to;
    friend bool operator==(const Flow&, const Flow&) = default;
};

/// Allocator events (`[memory]`, profile_memory=True), sorted by time. Struct of arrays.
struct MemoryTable {
    std::vector<TimeNs> at_ns;
    std::vector<std::int64_t> bytes;            ///< allocated (> 0) or freed (< 0)
    std::vector<std::uint64_t> address;         ///< address of the block; 0 unknown
    std::vector<std::int64_t> total_allocated;  ///< -1 unknown
    std::vector<std::int64_t> total_reserved;   ///< -1 unknown
    std::vector<std::int16_t> device;           ///< -1 is the host
    [[nodiscard]] std::size_t size() const { return at_ns.size(); }
    friend bool operator==(const MemoryTable&, const MemoryTable&) = default;
};

/// What was left out before the first of the steps that were read, if only some were: no step begins before work
/// launched earlier has ended. All times on the file's clock.
struct EarlierSteps {
    /// The last ends of work of one device.
    struct DeviceEnds {
        std::int32_t device = -1;
        TimeNs work_ns = 0;                       ///< end of work launched before the first step that was read
        std::optional<TimeNs> step_work_ns = {};  ///< end of work launched before the end of the step before it
        friend bool operator==(const DeviceEnds&, const DeviceEnds&) = default;
    };
    std::optional<std::int64_t> number;  ///< number of the step before the first that was read, if any
    TimeNs host_end_ns = 0;              ///< when that step ended on the host
    std::vector<DeviceEnds> devices;     ///< devices whose work was left out
    friend bool operator==(const EarlierSteps&, const EarlierSteps&) = default;
};

/// What was measured on one rank, immutable after loading. All times are on the file's own clock, in nanoseconds, with
/// `baseTimeNanoseconds` added back; RankClock (core/clock) converts them to the run's clock.
struct RankTrace {
    std::optional<RankNumber> rank;  ///< nothing if no file has it
    RankOrigin rank_origin = RankOrigin::Unknown;
    std::optional<std::int32_t> world_size;
    std::string host;  ///< from host_name or the file's name; empty if unknown
    std::string backend;
    std::vector<TraceFile> files;
    std::vector<DeviceProperties> devices;
    std::vector<ProcessGroup> groups;
    /// Other top-level keys of the file with their JSON text, e.g. "with_stack" -> "1".
    std::map<std::string, std::string> metadata;

    StringPool strings;
    std::vector<Track> tracks;
    LaunchTable launches;
    std::vector<Flow> flows;  ///< forward to backward, sorted by `from`
    MemoryTable memory;
    SensorTable sensors;
    TimeSpan window;  ///< first start to last end over all tracks
    /// The number of the first step if steps are counted, because no mark in the trace has a number: above 0 if only
    /// later steps of a file were read (LoadOptions::first_step).
    std::int64_t first_counted_step = 0;
    EarlierSteps earlier;  ///< empty if all steps were read
    Health health;

    /// The track that a slice is on. `ref` must be valid and of this trace, here and in the three below.
    [[nodiscard]] const Track& track(SliceRef ref) const { return tracks[ref.track.value]; }
    /// The start and the end of a slice, in nanoseconds on the file's clock.
    [[nodiscard]] TimeSpan span(SliceRef ref) const { return track(ref).slices.span(ref.slice); }
    /// The name of a slice as recorded; valid as long as the trace.
    [[nodiscard]] std::string_view name(SliceRef ref) const { return strings.view(track(ref).slices.name[ref.slice]); }
    /// The category of a slice: what kind of activity it records.
    [[nodiscard]] Category category(SliceRef ref) const { return track(ref).slices.category[ref.slice]; }
    /// Whether anything was recorded on a stream of a device; false for a trace of the CPU only. Linear in tracks.
    [[nodiscard]] bool hasDeviceWork() const;
    /// Heap bytes of the model, for the memory budget.
    [[nodiscard]] std::size_t memoryBytes() const;
};

/// The name of a rank for people: "rank 3", or "file 2", by its position in Run::ranks, if no file has its number.
[[nodiscard]] std::string rankLabel(const RankTrace& rank, RankPosition position);

}  // namespace rankscope
