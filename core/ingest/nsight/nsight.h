// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/load.h"
#include "core/trace/rank_trace.h"

// Recordings of Nsight Systems, exported by `nsys export --type sqlite`. Columns are read by name, so that exports of
// any version can be read as far as they have them. NVIDIA documents them: "SQLite Schema Reference" in the user guide.

namespace rankscope {

/// Whether a file, plain or packed, is an SQLite database, but not a digest. Reads its first bytes.
[[nodiscard]] bool holdsSqlite(const FileSource& file);

/// Reads an export into the traces of its ranks: one per process with GPU work, in order of rank. The number of a rank
/// is the one that the process has in its largest NCCL communicator, if NCCL wrote that to NVTX; else its place in the
/// order of devices. Names are those of PyTorch's profiler, so that analyses work on both: operators of `emit_nvtx`
/// without their ids, copies by direction and kind of memory, calls without their version. Fails if the database is not
/// such an export. Linear in the rows.
[[nodiscard]] Result<std::vector<RankTrace>> loadNsight(const FileSource& file, const LoadOptions& options,
                                                        LoadObserver& observer, const std::stop_token& stop);

/// The same for the bytes of a database; `file` gives its name.
[[nodiscard]] Result<std::vector<RankTrace>> readNsight(std::string bytes, const FileSource& file,
                                                        const LoadOptions& options, LoadObserver& observer,
                                                        const std::stop_token& stop);

/// The row of a slice as an event's JSON: its columns are the args, with the texts that they refer to. Fails if the row
/// is not there.
[[nodiscard]] Result<std::string> nsightRowText(const TraceFile& file, EventSource source);

}  // namespace rankscope
