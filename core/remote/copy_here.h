// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/remote/remote_path.h"
#include "core/remote/remote_script.h"
#include "core/remote/remote_shell.h"

namespace rankscope {

/// Where a file of another machine is kept here: in `folder`, in a folder for its content.
struct CachePlace {
    std::filesystem::path folder;
    std::string name;
};

/// Endings of the files in the cache.
inline constexpr std::string_view kDigestInCache = ".digest";
inline constexpr std::string_view kCompanionsInCache = ".companions.zip";

/// The place of a file with that ending, of the remote path with the key `key`.
[[nodiscard]] CachePlace cachePlace(const RemotePath& remote, const std::string& key, const std::string& cache_folder,
                                    std::string_view ending);

/// Says what happens now, for a line of progress.
using Say = std::function<void(const std::string&)>;

/// How a file is copied.
struct Copying {
    int tries = 1;  ///< how often it resumes
    Say say;
};

/// A file that is here now.
struct CopiedFile {
    std::string path;
    std::uint64_t bytes = 0;
    std::uint64_t copied = 0;  ///< bytes that were transferred now
};

/// Copies a file here, unless it is here already. An interrupted copy resumes, here or in a later call. The result has
/// the checksum of the file there. Older content of the same remote path is removed.
[[nodiscard]] Result<CopiedFile> copyHere(const RemoteShell& shell, const RemotePath& remote, const RemoteFile& made,
                                          const CachePlace& place, const Copying& copying);

/// Removes any content of a place: there is no such file any longer.
void removeFromCache(const CachePlace& place);

}  // namespace rankscope
