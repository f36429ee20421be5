// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/ingest/assembly/folders_of_run.h"
#include "core/ingest/load.h"

namespace rankscope {

/// What the files of a folder show before they are read.
struct FolderHead {
    /// All ranks found; a merged file may have more after its first bytes.
    FolderClaims ranks;
    /// Files that are no traces, and what they are.
    std::vector<Error> no_traces;
    /// All files of the folder, also those that show nothing.
    std::size_t files = 0;
};

/// Reads the start of the files of each of `folders`: the first 128 KiB of text of a trace, or 16 MiB if its events
/// begin later, and the tables of a digest. Unreadable files are skipped. On all cores.
[[nodiscard]] std::vector<FolderHead> readHeads(const std::vector<RunSource>& folders);

}  // namespace rankscope
