// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// A folder of the machine that digests were made on, and the folder in which it is reached here: /lustre, /mnt.
struct MappedFolder {
    std::string from;
    std::string to;
    friend bool operator==(const MappedFolder&, const MappedFolder&) = default;
};
using PathMap = std::vector<MappedFolder>;

/// Reads "FROM=TO", two absolute paths; nothing if it is none. FROM ends at the first "=".
[[nodiscard]] std::optional<MappedFolder> mappedFolderOf(std::string_view text);

/// From the environment: RANKSCOPE_MAP, "FROM=TO" with ":" between several. Anything that is no pair is skipped.
[[nodiscard]] PathMap pathMapForUser();

/// Whether the file at a path is the one that is looked for. Files of other jobs are often called the same.
using IsThatFile = std::function<bool(const std::string& path)>;
/// Whether there is any file: for files of which only the name is known.
[[nodiscard]] bool isAnyFile(const std::string& path);

/// The pair that leads from `path` to a file in `folder`, or below it, for which `is_it` is true: the one that keeps as
/// much of the path as exists there. Nothing if there is no such file.
[[nodiscard]] std::optional<MappedFolder> mappingInto(const std::string& folder, const std::string& path,
                                                      const IsThatFile& is_it = isAnyFile);
/// The same for the file of a trace, which has its size. A file with its name and another size does not count.
[[nodiscard]] std::optional<MappedFolder> mappingInto(const std::string& folder, const TraceFile& file);

/// Where the file at `path` of that machine is here: `path` itself where it is that, else where the last folder of the
/// map that leads to it does, else `path`. So what is said later counts before what was said earlier.
[[nodiscard]] std::string pathHere(const std::string& path, const PathMap& map, const IsThatFile& is_it = isAnyFile);
/// The same for the file of a trace, by its size.
[[nodiscard]] std::string pathHere(const TraceFile& file, const PathMap& map);

}  // namespace rankscope
