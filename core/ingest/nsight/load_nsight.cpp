// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/digest/column.h"
#include "core/digest/digest_file.h"
#include "core/ingest/assembly/assemble.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/content_hash.h"
#include "core/ingest/kineto/identity.h"
#include "core/ingest/nsight/export.h"
#include "core/ingest/nsight/gpu_metrics.h"
#include "core/ingest/nsight/nsight.h"
#include "core/ingest/nsight/process.h"
#include "core/trace/trace_format.h"

namespace rankscope {
namespace {

using nsight::Export;
using nsight::Process;

constexpr std::string_view kMagic = "SQLite format 3";

bool isExport(const Export& file) {
    return file.has("StringIds") && (file.has(tableName(RowTable::Kernel)) || file.has(tableName(RowTable::Range)) ||
                                     file.has(tableName(RowTable::Call)));
}

/// Unix time of the recording's first instant, to which its times are relative; 0 if it is not there.
TimeNs sessionStart(const Export& file) {
    constexpr std::string_view kTable = "TARGET_INFO_SESSION_START_TIME";
    if (!file.has(kTable, "utcEpochNs")) {
        return 0;
    }
    Statement row = file.rows(kTable, {"utcEpochNs"});
    const TimeNs start = row.next() ? row.number(1) : 0;
    return isTime(start) ? start : 0;
}

std::string hostOf(const Export& file) {
    constexpr std::string_view kTable = "TARGET_INFO_SYSTEM_ENV";
    if (file.has(kTable)) {
        Statement rows = file.rows(kTable, {"name", "value"});
        while (rows.next()) {
            if (rows.text(1) == "Hostname") {
                return std::string(rows.text(2));
            }
        }
    }
    return {};
}

/// The devices of a process by the number that CUDA gives them there.
std::vector<DeviceProperties> devicesOf(const Export& file, std::int64_t pid) {
    std::map<std::int64_t, std::int64_t> number_of_gpu;
    if (file.has("TARGET_INFO_CUDA_DEVICE")) {
        Statement rows = file.rows("TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"});
        while (rows.next()) {
            if (rows.number(3) == pid) {
                number_of_gpu[rows.number(1)] = rows.number(2);
            }
        }
    }
    std::vector<DeviceProperties> devices;
    if (file.has("TARGET_INFO_GPU")) {
        Statement rows = file.rows("TARGET_INFO_GPU", {"id", "name", "totalMemory", "smCount"});
        while (rows.next()) {
            const auto known = number_of_gpu.find(rows.number(1));
            if (known != number_of_gpu.end() || number_of_gpu.empty()) {
                const std::int64_t id = known != number_of_gpu.end() ? known->second : rows.number(1);
                devices.push_back({static_cast<std::int32_t>(id), std::string(rows.text(2)),
                                   static_cast<std::uint64_t>(rows.number(3)),
                                   static_cast<std::int32_t>(rows.number(4))});
            }
        }
    }
    std::ranges::sort(devices, {}, &DeviceProperties::id);
    return devices;
}

/// The member that a process is in its largest communicator.
nsight::NcclMember largestOf(const Process& process) {
    nsight::NcclMember largest;
    for (const auto& [communicator, member] : process.communicators) {
        largest = member.size > largest.size ? member : largest;
    }
    return largest;
}

/// What all ranks of an export share.
struct Shared {
    const FileSource& source;
    const LoadOptions& options;
    TimeNs base_ns = 0;
    std::string host;
    TraceFile as_file;
};

RankTrace traceOf(const Export& file, Process& process, const Shared& shared, const std::stop_token& stop) {
    addNcclArgs(process);
    RankTrace trace;
    trace.host = shared.host;
    trace.devices = devicesOf(file, process.pid);
    markFormat(trace, TraceFormat::Nsight);
    std::vector<PartialTrace> parts;
    parts.push_back(std::move(process.part));
    const unsigned threads = threadCount(shared.options.threads);
    LinkInput links = assemble(std::move(parts), shared.base_ns, {shared.options.first_step, shared.options.last_step},
                               threads, trace, stop);
    if (stop.stop_requested() || trace.health.slices == 0) {
        return trace;
    }
    linkTrace(std::move(links), threads, trace, stop);
    trace.window = windowOf(trace.tracks);
    trace.files.push_back(shared.as_file);
    trace.files.back().window = trace.window;
    if (process.graphs > 0) {
        trace.health.notes.push_back("Recorded whole: " + formatCounted(process.graphs, "launch") +
                                     " of CUDA graphs. What runs inside is unknown. Record with "
                                     "--cuda-graph-trace=node.");
    }
    if (process.open_ranges > 0) {
        trace.health.notes.push_back(
            "Not shown, because the recording ends first: " + formatCounted(process.open_ranges, "NVTX range") + ".");
    }
    return trace;
}

/// Numbers the ranks by their communicator; else several by device, and a single one as its file says, if it does.
void numberRanks(const FileSource& source, std::vector<RankTrace>& traces,
                 const std::vector<nsight::NcclMember>& members) {
    std::set<std::int32_t> numbers;
    for (const nsight::NcclMember& member : members) {
        numbers.insert(member.rank);
    }
    const bool is_known = numbers.size() == traces.size() && *numbers.begin() >= 0;
    if (!is_known && traces.size() == 1) {
        return guessIdentity(source, traces.front());
    }
    for (std::size_t i = 0; i < traces.size(); ++i) {
        traces[i].rank = is_known ? RankNumber(members[i].rank) : RankNumber(i);
        traces[i].rank_origin = is_known ? RankOrigin::EventArgs : RankOrigin::Order;
        if (is_known) {
            traces[i].world_size = members[i].size;
        }
    }
    std::ranges::stable_sort(traces, {}, &RankTrace::rank);
}

Result<std::vector<RankTrace>> readExport(Export file, const FileSource& source, const LoadOptions& options,
                                          LoadObserver& observer, const std::stop_token& stop) {
    if (!isExport(file)) {
        return Error{source.name(), {}, "is an SQLite database, but not an export of Nsight Systems"};
    }
    observer.fileProgress(0, 0, source.bytes, 0);
    file.readTexts();
    std::map<std::int64_t, Process> processes = nsight::readProcesses(file, stop);
    nsight::addGpuMetrics(file, processes, stop);
    const bool has_device = std::ranges::any_of(processes, [](const auto& one) { return one.second.device_rows > 0; });
    Shared shared{source, options, sessionStart(file), hostOf(file), {}};
    shared.as_file = {source.path,
                      source.member,
                      source.bytes,
                      source.bytes,
                      modifiedAt(source.path),
                      {},
                      std::make_shared<const SeekIndex>()};
    std::vector<Process*> ranks;
    for (auto& [id, process] : processes) {
        if (process.device_rows > 0 || !has_device) {
            ranks.push_back(&process);
        }
    }
    std::ranges::stable_sort(
        ranks, {}, [](const Process* process) { return process->devices.empty() ? -1 : *process->devices.begin(); });
    std::vector<RankTrace> traces;
    std::vector<nsight::NcclMember> members;
    for (Process* process : ranks) {
        RankTrace trace = traceOf(file, *process, shared, stop);
        if (stop.stop_requested()) {
            return Cancelled{};
        }
        if (trace.health.slices > 0) {
            traces.push_back(std::move(trace));
            members.push_back(largestOf(*process));
        }
    }
    if (traces.empty()) {
        const bool wants_steps = options.first_step || options.last_step;
        return Error{source.name(), {}, wants_steps ? std::string(kNoneOfTheSteps) : "contains no rows of a process"};
    }
    numberRanks(source, traces, members);
    observer.fileProgress(0, source.bytes, source.bytes, source.bytes);
    return traces;
}

/// What `read` returns, or SQLite's reason.
template <class Read>
Result<std::vector<RankTrace>> orFault(const FileSource& file, const Read& read) {
    try {
        return read();
    } catch (const DigestFault& fault) {
        return Error{
            file.name(),
            {},
            std::string("is an SQLite database that cannot be read as an export of Nsight Systems: ") + fault.what()};
    }
}

/// A column of a row as JSON, with the text for columns that refer to one.
nlohmann::ordered_json valueOf(const Export& file, const Statement& row, int column, const std::string& name) {
    if (row.isNull(column)) {
        return nullptr;
    }
    const bool is_reference = name.ends_with("Name") || name == "nameId" || name == "textId" || name == "jsonTextId";
    std::string text = is_reference ? file.storedText(row.number(column)) : std::string();
    if (!text.empty()) {
        return text;
    }
    const std::string_view raw = row.text(column);
    const bool is_number = !raw.empty() && raw.find_first_not_of("0123456789-") == std::string_view::npos;
    return is_number ? nlohmann::ordered_json(row.number(column)) : nlohmann::ordered_json(raw);
}

}  // namespace

bool holdsSqlite(const FileSource& file) {
    if (!file.member.empty()) {
        return false;
    }
    const Result<std::unique_ptr<ByteStream>> stream = openBytes(file.path);
    if (!stream.ok()) {
        return false;
    }
    std::array<char, kDigestMagicBytes> bytes{};
    const std::string_view front(bytes.data(), stream.value()->read(bytes));
    return front.starts_with(kMagic) && !isDigest(front);
}

Result<std::vector<RankTrace>> loadNsight(const FileSource& file, const LoadOptions& options, LoadObserver& observer,
                                          const std::stop_token& stop) {
    return orFault(file, [&] { return readExport(Export(file), file, options, observer, stop); });
}

Result<std::vector<RankTrace>> readNsight(std::string bytes, const FileSource& file, const LoadOptions& options,
                                          LoadObserver& observer, const std::stop_token& stop) {
    return orFault(
        file, [&] { return readExport(Export(Database::ofBytes(std::move(bytes))), file, options, observer, stop); });
}

Result<std::string> nsightRowText(const TraceFile& file, EventSource source) {
    try {
        const Export from({file.path, file.member, file.bytes});
        const RowPlace place = rowPlaceOf(source);
        const std::string_view table = tableName(place.table);
        Statement row = from.row(table, place.row);
        if (!row.next()) {
            return Error{file.path, {}, fmt::format("has no row {} in {}", place.row, table)};
        }
        nlohmann::ordered_json args = {{"table", table}, {"rowid", place.row}};
        const std::vector<std::string>& columns = from.columns(table);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            nlohmann::ordered_json value = valueOf(from, row, static_cast<int>(i), columns[i]);
            if (!value.is_null()) {
                args[columns[i]] = std::move(value);
            }
        }
        const nlohmann::ordered_json out = {{"args", std::move(args)}};
        return out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    } catch (const DigestFault& fault) {
        return Error{file.path, {}, fault.what()};
    }
}

}  // namespace rankscope
