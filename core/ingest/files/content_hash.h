// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/ingest/load.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// CRC-64 (ECMA-182, reflected) of a trace's bytes on disk, of a member of a zip of its packed bytes: tells whether a
/// file that was only copied or touched still is what it was. It is no proof against somebody who wants two files to
/// look alike.
[[nodiscard]] Result<std::uint64_t> contentHash(const FileSource& file);

/// When the file at `path` was last changed, in nanoseconds of Unix time; 0 where that cannot be told.
[[nodiscard]] std::int64_t modifiedAt(const std::string& path);

/// Whether the file at `path` may be the one that a trace was read from, as far as sizes tell: of a member of an
/// archive the packed size of the member of that name. False where there is none.
[[nodiscard]] bool hasSizeOf(const std::string& path, const TraceFile& file);

/// Whether the file at the trace's path is another than when it was read, or its digest made. Where the time of change
/// differs, the content of one that a digest stands for tells: it is read once for each time of change.
[[nodiscard]] bool hasChanged(const TraceFile& file);

}  // namespace rankscope
