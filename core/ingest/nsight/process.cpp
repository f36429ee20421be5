// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/nsight/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/bounded_json.h"
#include "core/ingest/bounds.h"
#include "core/ingest/nsight/names.h"
#include "core/trace/product_operators.h"

namespace rankscope::nsight {
namespace {

constexpr std::int64_t kProcessMask = ~std::int64_t{0xffffff};
/// Streams and events that CUPTI writes for "none".
constexpr std::int64_t kNone = 0xffffffff;

/// The types of rows of NVTX_EVENTS that are read.
enum RangeType : std::int64_t { kPushPop = 59, kStartEnd = 60 };

bool isNcclKernel(std::string_view name) {
    return name.starts_with("ncclDevKernel") || name.starts_with("ncclKernel");
}

/// Whether a range is one that NCCL writes of a call: "ncclAllReduce", and not PyTorch's "nccl:all_reduce".
bool isNcclCall(std::string_view name) {
    constexpr std::string_view kStart = "nccl";
    return name.starts_with(kStart) && name.size() > kStart.size() &&
           std::isupper(static_cast<unsigned char>(name[kStart.size()])) != 0;
}

/// Ranges of libraries, which are not the job's.
bool isOfLibrary(std::string_view name) {
    return isNcclCall(name) || name.starts_with("cub::") || name.starts_with("thrust::");
}

/// Reads the tables of an export.
class Reader {
  public:
    Reader(const Export& from, const std::stop_token& stop) : from_(from), stop_(stop) {}

    std::map<std::int64_t, Process> processes() && {
        readKernels();
        readCopies();
        readSets();
        readGraphs();
        readCalls();
        readRanges();
        readWaits();
        readSystemCalls();
        readOverhead();
        readThreadNames();
        return std::move(processes_);
    }

  private:
    /// Calls `visit` with each row of a table, if the table is there.
    template <class Visit>
    void each(RowTable source, std::initializer_list<std::string_view> columns, Visit visit) {
        if (from_.has(tableName(source))) {
            eachOf(tableName(source), columns, visit);
        }
    }

    template <class Visit>
    void eachOf(std::string_view table, std::initializer_list<std::string_view> columns, Visit visit) {
        constexpr std::uint64_t kLook = 4096;
        Statement rows = from_.rows(table, columns);
        for (std::uint64_t count = 0; rows.next(); ++count) {
            if (count % kLook == 0 && stop_.stop_requested()) {
                return;
            }
            visit(rows);
        }
    }

    Process& processAt(std::int64_t global) {
        const auto [at, is_new] = processes_.try_emplace(global & kProcessMask);
        if (is_new) {
            at->second.pid = processOf(global);
        }
        return at->second;
    }

    /// The value of a column, or -1.
    static std::int64_t numberOr(const Statement& row, int column, std::int64_t otherwise = -1) {
        return row.isNull(column) ? otherwise : row.number(column);
    }

    PartialTrack* addDeviceRow(const Statement& row, RowTable source, Category category, std::string_view name,
                               std::optional<std::int64_t> bytes) {
        Process& process = processAt(row.number(6));
        const std::int64_t device = numberOr(row, 3);
        PartialTrack* track = process.add(
            TrackKind::Stream, device, numberOr(row, 4),
            {sourceOf({source, row.number(0)}), row.number(1), row.number(2), category, name, numberOr(row, 5, 0)});
        if (track == nullptr) {
            return nullptr;
        }
        ++process.device_rows;
        process.devices.insert(device);
        if (bytes && *bytes >= 0 && *bytes <= kMostBytes) {
            track->bytes.push_back({static_cast<SliceIndex>(track->size() - 1), *bytes});
        }
        return track;
    }

    void readKernels() {
        each(RowTable::Kernel,
             {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "demangledName", "shortName",
              "mangledName", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ"},
             [this](const Statement& row) {
                 std::string_view name;
                 for (const int column : {7, 8, 9}) {
                     name = name.empty() ? from_.text(numberOr(row, column)) : name;
                 }
                 addGrid(row,
                         addDeviceRow(row, RowTable::Kernel, Category::Kernel, name.empty() ? "kernel" : name, {}));
                 if (isNcclKernel(name)) {
                     processAt(row.number(6)).nccl_launches.try_emplace(numberOr(row, 5, 0));
                 }
             });
    }

    /// A hash (FNV-1a) of grid and block.
    static void addGrid(const Statement& row, PartialTrack* track) {
        constexpr std::uint32_t kBasis = 2'166'136'261U;
        constexpr std::uint32_t kPrime = 16'777'619U;
        if (track == nullptr || row.isNull(10)) {
            return;
        }
        std::uint32_t hash = kBasis;
        for (int column = 10; column < 16; ++column) {
            hash = (hash ^ static_cast<std::uint32_t>(row.number(column))) * kPrime;
        }
        track->grids.push_back({static_cast<SliceIndex>(track->size() - 1), hash});
    }

    void readCopies() {
        each(RowTable::Copy,
             {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "copyKind", "srcKind", "dstKind",
              "bytes"},
             [this](const Statement& row) {
                 addDeviceRow(row, RowTable::Copy, Category::Memcpy,
                              copyName(numberOr(row, 7), numberOr(row, 8), numberOr(row, 9)), numberOr(row, 10));
             });
    }

    void readSets() {
        each(RowTable::Set, {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "memKind", "bytes"},
             [this](const Statement& row) {
                 addDeviceRow(row, RowTable::Set, Category::Memset, setName(numberOr(row, 7)), numberOr(row, 8));
             });
    }

    void readGraphs() {
        each(RowTable::Graph, {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphId"},
             [this](const Statement& row) {
                 ++processAt(row.number(6)).graphs;
                 addDeviceRow(row, RowTable::Graph, Category::Kernel, fmt::format("CUDA graph {}", numberOr(row, 7)),
                              {});
             });
    }

    void readCalls() {
        each(RowTable::Call, {"start", "end", "eventClass", "globalTid", "correlationId", "nameId"},
             [this](const Statement& row) {
                 Process& process = processAt(row.number(4));
                 const std::int64_t thread = threadOf(row.number(4));
                 const std::int64_t correlation = numberOr(row, 5, 0);
                 process.add(TrackKind::CpuThread, process.pid, thread,
                             {sourceOf({RowTable::Call, row.number(0)}), row.number(1), row.number(2),
                              row.number(3) == 1 ? Category::Driver : Category::Runtime,
                              callName(from_.text(row.number(6))), correlation});
                 const auto launch = process.nccl_launches.find(correlation);
                 if (launch != process.nccl_launches.end()) {
                     launch->second = {thread, row.number(1)};
                 }
             });
    }

    void readRanges() {
        each(RowTable::Range, {"start", "end", "eventType", "globalTid", "text", "textId", "jsonText", "jsonTextId"},
             [this](const Statement& row) {
                 const std::int64_t type = row.number(3);
                 if ((type != kPushPop && type != kStartEnd) || row.isNull(4)) {
                     return;
                 }
                 Process& process = processAt(row.number(4));
                 const std::string_view text = row.isNull(5) ? from_.text(numberOr(row, 6)) : row.text(5);
                 if (isNcclCall(text)) {
                     addNccl(process, row, text);
                 }
                 if (row.isNull(2)) {
                     ++process.open_ranges;
                     return;
                 }
                 addRange(process, row, text);
             });
    }

    static void addRange(Process& process, const Statement& row, std::string_view text) {
        const RangeName range = rangeName(text);
        const Category category = isOfLibrary(text)   ? Category::Other
                                  : range.is_operator ? Category::CpuOp
                                                      : Category::UserAnnotation;
        PartialTrack* track = process.add(
            TrackKind::CpuThread, process.pid, threadOf(row.number(4)),
            {sourceOf({RowTable::Range, row.number(0)}), row.number(1), row.number(2), category, range.name, 0});
        if (track != nullptr && !range.shapes.empty() && productOf(range.name) != Product::None) {
            track->inputs.push_back(
                {static_cast<SliceIndex>(track->size() - 1),
                 {.shapes = process.part.strings.intern(range.shapes), .types = {}, .values = {}, .flops = -1}});
        }
    }

    /// What NCCL's payload says, if it was exported as JSON.
    void addNccl(Process& process, const Statement& row, std::string_view text) {
        const std::string_view payload = row.isNull(7) ? from_.text(numberOr(row, 8)) : row.text(7);
        const Result<nlohmann::json> parsed = payload.empty() ? nlohmann::json() : parseBoundedJson(payload);
        const nlohmann::json values = parsed.ok() && parsed.value().is_object() ? parsed.value() : nlohmann::json();
        const auto number = [&values](const char* key) -> std::optional<std::int64_t> {
            const auto at = values.find(key);
            return at != values.end() && at->is_number_integer() ? std::optional(at->get<std::int64_t>())
                                                                 : std::nullopt;
        };
        const auto communicator = static_cast<std::uint64_t>(number("NCCL communicator ID").value_or(0));
        const std::optional<std::int64_t> rank = number("Rank");
        const std::optional<std::int64_t> size = number("No. of ranks");
        if (text.starts_with("ncclCommInit") && rank && size && *rank >= 0 && *rank < *size && *size <= kMostRanks) {
            process.communicators[communicator] = {static_cast<std::int32_t>(*rank), static_cast<std::int32_t>(*size)};
            return;
        }
        if (row.isNull(2)) {
            return;
        }
        NcclCall call{threadOf(row.number(4)), {row.number(1), row.number(2)}, std::string(text), communicator, {}, {}};
        const std::optional<std::int64_t> bytes = number("Message size [bytes]");
        call.bytes = bytes && *bytes >= 0 && *bytes <= kMostBytes ? bytes : std::nullopt;
        process.nccl.push_back(std::move(call));
    }

    void readWaits() {
        readRecordedEvents();
        each(RowTable::Wait,
             {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "syncType", "eventId",
              "eventSyncId"},
             [this](const Statement& row) {
                 Process& process = processAt(row.number(6));
                 const std::int64_t stream = numberOr(row, 4);
                 const std::string_view kind = waitName(numberOr(row, 7));
                 PartialTrack* track = process.add(TrackKind::StreamSync, deviceOf(process, numberOr(row, 3)),
                                                   stream == kNone ? -1 : stream,
                                                   {sourceOf({RowTable::Wait, row.number(0)}), row.number(1),
                                                    row.number(2), Category::CudaSync, kind, numberOr(row, 5, 0)});
                 if (track != nullptr) {
                     SyncArgs args{process.part.strings.intern(kind), -1, -1};
                     const auto event = recorded_.find({row.number(6), numberOr(row, 8), numberOr(row, 9)});
                     if (event != recorded_.end()) {
                         args.wait_on_stream = event->second.first;
                         args.event_record_correlation = event->second.second;
                     }
                     track->syncs.push_back({static_cast<SliceIndex>(track->size() - 1), args});
                 }
             });
    }

    /// The device of a synchronisation. CUPTI may write 0 for all of them: where the process works on one device only,
    /// it is that.
    static std::int64_t deviceOf(const Process& process, std::int64_t recorded) {
        return process.devices.size() == 1 ? *process.devices.begin() : recorded;
    }

    /// The stream and the call that recorded each event.
    void readRecordedEvents() {
        constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
        if (from_.has(kTable, "eventSyncId")) {
            eachOf(kTable, {"globalPid", "eventId", "eventSyncId", "streamId", "correlationId"},
                   [this](const Statement& row) {
                       recorded_[{row.number(1), numberOr(row, 2), numberOr(row, 3)}] = {numberOr(row, 4),
                                                                                         numberOr(row, 5)};
                   });
        }
    }

    void readSystemCalls() {
        each(RowTable::System, {"start", "end", "globalTid", "nameId"}, [this](const Statement& row) {
            Process& process = processAt(row.number(3));
            process.add(TrackKind::CpuThread, process.pid, threadOf(row.number(3)),
                        {sourceOf({RowTable::System, row.number(0)}), row.number(1), row.number(2), Category::Other,
                         from_.text(numberOr(row, 4)), 0});
        });
    }

    void readOverhead() {
        each(RowTable::Overhead, {"start", "end", "globalTid", "nameId"}, [this](const Statement& row) {
            Process& process = processAt(row.number(3));
            const std::string_view name = from_.text(numberOr(row, 4));
            process.add(TrackKind::Other, process.pid, threadOf(row.number(3)),
                        {sourceOf({RowTable::Overhead, row.number(0)}), row.number(1), row.number(2),
                         Category::Overhead, name.empty() ? "profiler overhead" : name, 0});
        });
    }

    void readThreadNames() {
        constexpr std::string_view kTable = "ThreadNames";
        if (!from_.has(kTable)) {
            return;
        }
        eachOf(kTable, {"globalTid", "nameId"}, [this](const Statement& row) {
            const auto process = processes_.find(row.number(1) & kProcessMask);
            if (process == processes_.end()) {
                return;
            }
            StringPool& strings = process->second.part.strings;
            const std::string lane = std::to_string(threadOf(row.number(1)));
            const std::string name = fmt::format("thread {} ({})", lane, from_.text(numberOr(row, 2)));
            process->second.part.lanes.push_back(
                {0, strings.intern(std::to_string(process->second.pid)), strings.intern(lane), strings.intern(name)});
        });
    }

    const Export& from_;
    const std::stop_token& stop_;
    std::map<std::int64_t, Process> processes_;
    std::map<std::array<std::int64_t, 3>, std::pair<std::int64_t, std::int64_t>> recorded_;  // by process and event
};

}  // namespace

PartialTrack* Process::add(TrackKind kind, std::int64_t process, std::int64_t lane, const Row& row) {
    if (part.origins.empty()) {
        part.origins.emplace_back().pid = part.strings.intern(std::to_string(pid));
    }
    if (!isTime(row.start_ns) || !isTime(row.end_ns) || row.end_ns - row.start_ns > kLongestDuration) {
        ++part.health.skipped;
        return nullptr;
    }
    const auto [at, is_new] = tracks_.try_emplace(TrackKey{kind, process, lane}, part.tracks.size());
    if (is_new) {
        PartialTrack& made = part.tracks.emplace_back();
        made.kind = kind;
        made.process = part.strings.intern(std::to_string(process));
        made.lane = part.strings.intern(std::to_string(lane));
    }
    PartialTrack& track = part.tracks[at->second];
    part.origins.front().negative_durations += row.end_ns < row.start_ns ? 1U : 0U;
    track.start_ns.push_back(row.start_ns);
    track.end_ns.push_back(std::max(row.start_ns, row.end_ns));
    track.source.push_back(row.place);
    track.name.push_back(part.strings.intern(row.name));
    track.category.push_back(row.category);
    track.flag.push_back(SliceFlag::None);
    if (row.correlation != 0) {
        track.correlation.push_back({static_cast<SliceIndex>(track.size() - 1), row.correlation});
    }
    ++part.health.events;
    return &track;
}

std::map<std::int64_t, Process> readProcesses(const Export& from, const std::stop_token& stop) {
    return Reader(from, stop).processes();
}

}  // namespace rankscope::nsight
