// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ingest/load.h"
#include "core/ingest/nccl_log/nccl_log.h"

namespace rankscope {

/// A kind of file that belongs to a job without being its trace.
enum class CompanionKind : std::uint8_t { Snapshots, Logs, Dumps };

/// The kind of a file that was named, by its first bytes and whatever its name; any pickle but a dump counts as a
/// snapshot. Nothing for other files, and for what is no file. Logs are recognised within `most_bytes`.
[[nodiscard]] std::optional<CompanionKind> companionKindOf(const std::string& path,
                                                           std::size_t most_bytes = kSearchedForNccl);

/// Files of each kind, by name: a path, or "job.zip:rank0.log" for a member of an archive.
struct CompanionFiles {
    std::vector<std::string> snapshots;
    std::vector<std::string> logs;
    std::vector<std::string> dumps;

    /// Whether there are none.
    [[nodiscard]] bool empty() const { return snapshots.empty() && logs.empty() && dumps.empty(); }
    /// Whether there are dumps, and nothing else.
    [[nodiscard]] bool hasOnlyDumps() const { return snapshots.empty() && logs.empty() && !dumps.empty(); }
};

/// Takes the files that are companions out of `paths`; folders and archives stay.
[[nodiscard]] CompanionFiles takeNamedCompanions(std::vector<std::string>& paths);

/// Adds the companions in and below the folders of `paths`, and in archives, to `to`, and takes them out of `found`,
/// which discovery found there: by name, a log or a dump may be a trace. A folder with logs loses other output of the
/// job too. A folder or archive with only companions is no error. In folders, a pickle is a snapshot if it has the keys
/// of one. Reads the first bytes of each file.
void takeCompanionsInside(const std::vector<std::string>& paths, Discovery& found, CompanionFiles& to);

}  // namespace rankscope
