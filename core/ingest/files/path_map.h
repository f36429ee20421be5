// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankscope {

/// A folder of the machine that digests were made on, and the folder in which it is reached here: /lustre, /mnt.
struct MappedFolder {
    std::string from;
    std::string to;
    friend bool operator==(const MappedFolder&, const MappedFolder&) = default;
};
using PathMap = std::vector<MappedFolder>;

/// Reads "FROM=TO", two absolute paths; nothing where it is none. FROM ends at the first "=".
[[nodiscard]] std::optional<MappedFolder> mappedFolderOf(std::string_view text);

/// What the environment says: RANKSCOPE_MAP, "FROM=TO" with ":" between several. What is no pair there is passed over.
[[nodiscard]] PathMap pathMapForUser();

/// The pair that leads from `path` to a file in `folder`, or below it: by as much of the path as there is there, and
/// the least that has to be another. Nothing where there is no such file.
[[nodiscard]] std::optional<MappedFolder> mappingInto(const std::string& folder, const std::string& path);

/// Where the file at `path` of that machine is here: `path` itself where there is such a file, else the first folder of
/// the map that leads to a file, else `path`.
[[nodiscard]] std::string pathHere(const std::string& path, const PathMap& map);

}  // namespace rankscope
