// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/path_map.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ranges>
#include <system_error>

#include "core/ingest/files/content_hash.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// `path` mapped to TO, if it is below FROM. Only whole names match: /lustre2 is not below /lustre.
std::optional<fs::path> mapped(const fs::path& path, const MappedFolder& folder) {
    fs::path from = fs::path(folder.from).lexically_normal();
    from = from.has_filename() ? from : from.parent_path();  // "/lustre/" is "/lustre"
    const auto [rest, end_of_from] = std::mismatch(path.begin(), path.end(), from.begin(), from.end());
    if (end_of_from != from.end()) {
        return std::nullopt;
    }
    fs::path here = folder.to;
    std::for_each(rest, path.end(), [&](const fs::path& name) { here /= name; });
    return here;
}

}  // namespace

bool isAnyFile(const std::string& path) {
    std::error_code error;
    return fs::exists(path, error);
}

std::optional<MappedFolder> mappedFolderOf(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
        return std::nullopt;
    }
    MappedFolder folder{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
    const bool absolute = folder.from.starts_with('/') && folder.to.starts_with('/');
    return absolute ? std::optional(std::move(folder)) : std::nullopt;
}

PathMap pathMapForUser() {
    const char* const set = std::getenv("RANKSCOPE_MAP");
    PathMap map;
    for (std::string_view left = set == nullptr ? "" : set; !left.empty();) {
        const std::size_t end = std::min(left.find(':'), left.size());
        if (std::optional<MappedFolder> folder = mappedFolderOf(left.substr(0, end))) {
            map.push_back(std::move(*folder));
        }
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return map;
}

std::optional<MappedFolder> mappingInto(const std::string& folder, const std::string& path, const IsThatFile& is_it) {
    fs::path below = fs::path(path).lexically_normal().relative_path();
    fs::path from = "/";
    while (!below.empty()) {
        if (is_it((fs::path(folder) / below).string())) {
            return MappedFolder{from.string(), folder};
        }
        from /= *below.begin();
        below = below.lexically_relative(*below.begin());
        if (below == ".") {
            break;
        }
    }
    return std::nullopt;
}

std::optional<MappedFolder> mappingInto(const std::string& folder, const TraceFile& file) {
    return mappingInto(folder, file.path, [&file](const std::string& path) { return hasSizeOf(path, file); });
}

std::string pathHere(const std::string& path, const PathMap& map, const IsThatFile& is_it) {
    if (map.empty() || is_it(path)) {
        return path;
    }
    for (const MappedFolder& folder : std::views::reverse(map)) {
        if (const std::optional<fs::path> here = mapped(path, folder); here && is_it(here->string())) {
            return here->string();
        }
    }
    return path;
}

std::string pathHere(const TraceFile& file, const PathMap& map) {
    return pathHere(file.path, map, [&file](const std::string& path) { return hasSizeOf(path, file); });
}

}  // namespace rankscope
