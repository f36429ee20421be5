// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// A folder of the machine on which digests were made, and the folder in which it is reached here: /lustre, /mnt.
struct MappedFolder {
    std::string from;
    std::string to;
    friend bool operator==(const MappedFolder&, const MappedFolder&) = default;
};
using PathMap = std::vector<MappedFolder>;

/// Reads "FROM=TO", two absolute paths; nothing for any other text. FROM ends at the first "=".
[[nodiscard]] std::optional<MappedFolder> mappedFolderOf(std::string_view text);

/// From the environment: RANKSCOPE_MAP, "FROM=TO" with ":" between several. Invalid pairs are skipped.
[[nodiscard]] PathMap pathMapForUser();

/// Whether the file at a path is the wanted one. Files of other jobs often have the same name.
using IsThatFile = std::function<bool(const std::string& path)>;
/// True for any existing file: for files of which only the name is known.
[[nodiscard]] bool isAnyFile(const std::string& path);

/// The pair that maps `path` to a file in `folder`, or below it, for which `is_it` is true: the one that keeps as much
/// of the path as exists there. Nothing if there is no such file.
[[nodiscard]] std::optional<MappedFolder> mappingInto(const std::string& folder, const std::string& path,
                                                      const IsThatFile& is_it = isAnyFile);
/// The same for the file of a trace, which must have its size.
[[nodiscard]] std::optional<MappedFolder> mappingInto(const std::string& folder, const TraceFile& file);

/// The local path of the file at `path` on that machine: `path` itself if it is the file, else where the last matching
/// folder of the map leads to it, else `path`. So later pairs override earlier ones.
[[nodiscard]] std::string pathHere(const std::string& path, const PathMap& map, const IsThatFile& is_it = isAnyFile);
/// The same for the file of a trace, by its size.
[[nodiscard]] std::string pathHere(const TraceFile& file, const PathMap& map);

}  // namespace rankscope
