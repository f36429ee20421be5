// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace rankscope {

/// Paths that are opened together, separated by content.
struct SnapshotPaths {
    std::vector<std::string> snapshots;  ///< files that begin as a pickle (see isMemorySnapshot)
    std::vector<std::string> others;     ///< everything else, including folders, in the given order
};

/// Separates memory snapshots from traces by their first bytes, whatever their names. In and below a folder, only files
/// named "*.pickle" or "*.pkl" count. Reads the first bytes of each file.
[[nodiscard]] SnapshotPaths findSnapshots(const std::vector<std::string>& paths);

}  // namespace rankscope
