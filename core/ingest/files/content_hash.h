// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/ingest/load.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// CRC-64 (ECMA-182, reflected) of a trace's bytes on disk; for a member of an archive, of its packed bytes. Shows that
/// a file is unchanged although it was copied or touched. It does not protect against deliberate forgeries.
[[nodiscard]] Result<std::uint64_t> contentHash(const FileSource& file);

/// When the file at `path` was last changed, in nanoseconds of Unix time; 0 if unknown.
[[nodiscard]] std::int64_t modifiedAt(const std::string& path);

/// Whether the file at `path` may be the one from which a trace was read, by its size: for a member of an archive the
/// packed size of the member of that name. False if there is none.
[[nodiscard]] bool hasSizeOf(const std::string& path, const TraceFile& file);

/// Whether the file at the trace's path has changed since it was read, or since its digest was made. If its time
/// differs, the content decides for traces with a digest: it is read once per time of change.
[[nodiscard]] bool hasChanged(const TraceFile& file);

}  // namespace rankscope
