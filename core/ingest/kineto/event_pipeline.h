// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/assembly/partial_trace.h"
#include "core/ingest/files/byte_stream.h"
#include "core/trace/trace_format.h"

namespace rankscope {

/// What was read from a file, before it is joined.
struct ReadFile {
    std::vector<PartialTrace> parts;  ///< one per thread
    /// Top-level keys before and after the events, with the text of their values.
    std::vector<std::pair<std::string, std::string>> metadata;
    std::uint64_t json_bytes = 0;
    bool truncated = false;
    std::optional<std::string> damage;  ///< why the file's bytes end before they should
    TraceFormat format = TraceFormat::Json;
    bool is_of_nccl_plugin = false;  ///< it begins like a trace of the example of NCCL's profiler plugins
};

/// Called about every megabyte with the position on disk and the bytes of JSON so far.
using ReadProgress = std::function<void(std::uint64_t disk, std::uint64_t json)>;

/// Reads all events of `stream`: one thread reads and decompresses, cuts the event array into batches and hands them to
/// `threads` - 1 others, helping them when they fall behind. With one thread everything is sequential. Memory is
/// bounded by the batches in progress. Fails if the text is not a trace; `path` is only for the error. A stop cancels
/// it between two events. Throws what a parser throws (std::bad_alloc), once all threads have ended.
[[nodiscard]] Result<ReadFile> readEvents(ByteStream& stream, const std::string& path, unsigned threads,
                                          const ReadProgress& progress, const std::stop_token& stop);

}  // namespace rankscope
