// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/ingest/load.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// CRC-64 (ECMA-182, reflected) of a trace's bytes on disk, for a member of an archive of its packed bytes: shows
/// whether a file that was only copied or touched is unchanged. It does not protect against files made to look alike.
[[nodiscard]] Result<std::uint64_t> contentHash(const FileSource& file);

/// When the file at `path` was last changed, in nanoseconds of Unix time; 0 where that cannot be determined.
[[nodiscard]] std::int64_t modifiedAt(const std::string& path);

/// Whether the file at `path` may be the one that a trace was read from, by its size: for a member of an archive the
/// packed size of the member of that name. False if there is none.
[[nodiscard]] bool hasSizeOf(const std::string& path, const TraceFile& file);

/// Whether the file at the trace's path differs from when it was read, or its digest made. If the time of change
/// differs, the content decides for traces with a digest: it is read once for each time of change.
[[nodiscard]] bool hasChanged(const TraceFile& file);

}  // namespace rankscope
