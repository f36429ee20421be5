// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/snapshot/find_snapshots.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/ingest/snapshot/load_snapshot.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

bool isPickleName(const fs::path& path) {
    const std::string ending = path.extension().string();
    return ending == ".pickle" || ending == ".pkl";
}

/// As for traces: hidden files and links are skipped.
void addBelow(const std::string& folder, std::vector<std::string>& snapshots) {
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    std::vector<std::string> found;
    while (!error && at != fs::recursive_directory_iterator()) {
        std::error_code ignored;
        const fs::path& path = at->path();
        if (path.filename().string().starts_with('.')) {
            at.disable_recursion_pending();
        } else if (isPickleName(path) && at->is_regular_file(ignored) && isMemorySnapshot(path.string())) {
            found.push_back(path.string());
        }
        at.increment(error);
    }
    std::ranges::sort(found);
    snapshots.insert(snapshots.end(), found.begin(), found.end());
}

}  // namespace

SnapshotPaths findSnapshots(const std::vector<std::string>& paths) {
    SnapshotPaths told;
    for (const std::string& path : paths) {
        std::error_code error;
        const bool folder = fs::is_directory(path, error);
        if (folder) {
            addBelow(path, told.snapshots);
        }
        (!folder && isMemorySnapshot(path) ? told.snapshots : told.others).push_back(path);
    }
    return told;
}

}  // namespace rankscope
