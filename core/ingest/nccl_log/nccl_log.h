// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/files/input_file.h"
#include "core/trace/nccl_log.h"

namespace rankscope {

class ByteStream;

/// How far a file is searched for a line of NCCL: jobs may print a lot before it starts.
inline constexpr std::size_t kSearchedForNccl = std::size_t{1} << 22;

/// Whether a file, plain or packed, has a line of NCCL's log (NCCL_DEBUG=INFO) in its first bytes. False if it cannot
/// be read, or begins like JSON, of which only the first bytes are read.
[[nodiscard]] bool isNcclLog(const std::string& path, std::size_t most_bytes = kSearchedForNccl);

/// What the first lines of a text are.
enum class TextKind : std::uint8_t {
    Log,   ///< NCCL's
    Text,  ///< other output of a job
    Other  ///< JSON, or binary
};
[[nodiscard]] TextKind textKindOf(ByteStream& stream, std::size_t most_bytes = kSearchedForNccl);

/// What was read, and which files could not be.
struct LoadedNcclLogs {
    NcclLogs logs;
    std::vector<Error> unreadable;  ///< also files without a line of NCCL
};

/// Reads logs of NCCL and RCCL, plain or packed with gzip or zstd, of one or more processes each. Lines that are not
/// NCCL's are counted. A file named twice is read once. One pass; memory grows with processes, communicators,
/// connections and shapes of calls, and with 4 bytes per collective and rank, up to 64 MiB. Progress of a file is
/// reported per MiB of its text.
[[nodiscard]] LoadedNcclLogs loadNcclLogs(const std::vector<std::string>& files, const ReadingOfFiles& reading = {});

/// The same for bytes from any source; `path` is their name.
[[nodiscard]] NcclLogs readNcclLog(ByteStream& stream, const std::string& path);

}  // namespace rankscope
