// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace rankscope {

/// Paths that are opened together, by what they contain.
struct SnapshotPaths {
    std::vector<std::string> snapshots;  ///< files that begin as a pickle (see isMemorySnapshot)
    std::vector<std::string> others;     ///< all else, folders among it, in the order in which they were given
};

/// Separates memory snapshots from traces by their first bytes, with any names. At and below a folder, only files named
/// "*.pickle" or "*.pkl" count. Reads the first bytes of each file.
[[nodiscard]] SnapshotPaths findSnapshots(const std::vector<std::string>& paths);

}  // namespace rankscope
