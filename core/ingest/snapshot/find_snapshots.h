// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace rankscope {

/// Paths that are opened together, told apart by what they hold.
struct SnapshotPaths {
    std::vector<std::string> snapshots;  ///< files that begin as a pickle (see isMemorySnapshot)
    std::vector<std::string> others;     ///< all else, folders among it, in the order in which they were given
};

/// Tells memory snapshots from traces by their beginning, whatever they are called. At and below a folder, files count
/// that are called so too: "*.pickle", "*.pkl". Reads the first bytes of each file.
[[nodiscard]] SnapshotPaths findSnapshots(const std::vector<std::string>& paths);

}  // namespace rankscope
