// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/named_file.h"

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <system_error>

#include "core/ingest/files/input_file.h"

namespace rankscope {

FileSource fileNamed(const std::string& name) {
    std::error_code error;
    for (std::size_t at = name.find(':'); at != std::string::npos; at = name.find(':', at + 1)) {
        const std::string archive = name.substr(0, at);
        if (isArchiveName(archive) && !std::filesystem::exists(name, error) &&
            std::filesystem::is_regular_file(archive, error)) {
            return {archive, name.substr(at + 1)};
        }
    }
    return {name, {}};
}

std::vector<std::string> filesAt(const std::string& path) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(path, error);
    std::vector<std::string> found;
    for (const std::string& file : is_folder ? filesBelow(path) : std::vector<std::string>{path}) {
        if (!isArchiveName(file)) {
            found.push_back(file);
            continue;
        }
        const Result<ArchiveDirectory> archive = readArchiveDirectory(file);
        for (const ArchiveMember& member : archive.ok() ? archive.value().members : std::vector<ArchiveMember>()) {
            found.push_back(FileSource{file, member.name}.name());
        }
    }
    return found;
}

Result<std::unique_ptr<ByteStream>> FileOpener::open(const std::string& name) {
    FileSource file = fileNamed(name);
    if (file.member.empty()) {
        return openBytes(file);
    }
    auto at = archives_.find(file.path);
    if (at == archives_.end()) {
        at = archives_.emplace(file.path, readArchiveDirectory(file.path)).first;
    }
    if (!at->second.ok()) {
        return at->second.error();
    }
    const auto newest_first = std::views::reverse(at->second.value().members);
    const auto member = std::ranges::find(newest_first, file.member, &ArchiveMember::name);
    if (member != newest_first.end()) {
        file.place = std::make_shared<const ArchiveMember>(*member);
    }
    return openBytes(file);
}

}  // namespace rankscope
