// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_options.h"

#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace rankscope {
namespace {

std::string environmentText(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

std::string cacheFolder() {
    const std::string cache = environmentText("XDG_CACHE_HOME");
    const std::string home = environmentText("HOME");
    if (cache.starts_with('/')) {  // the XDG specification says to ignore relative ones
        return cache + "/rankscope/remote";
    }
    std::error_code ignored;
    return (home.empty() ? std::filesystem::temp_directory_path(ignored).string() : home + "/.cache") +
           "/rankscope/remote";
}

std::string staticTool() {
    if (std::string named = environmentText("RANKSCOPE_STATIC_CLI"); !named.empty()) {
        return named;
    }
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) {
        return {};
    }
    for (const std::filesystem::path& candidate : {self, self.parent_path() / "rankscope-cli-static"}) {
        // The window is no command-line tool, however it is linked.
        if (candidate.filename().string().starts_with("rankscope-cli") && isStaticProgram(candidate.string())) {
            return candidate.string();
        }
    }
    return {};
}

}  // namespace

RemoteOptions remoteOptionsForUser() {
    RemoteOptions options;
    std::istringstream words(environmentText("RANKSCOPE_SSH"));
    std::vector<std::string> ssh;
    for (std::string word; words >> word;) {
        ssh.push_back(word);
    }
    if (!ssh.empty()) {
        options.ssh = std::move(ssh);
    }
    options.cache_folder = cacheFolder();
    options.static_tool = staticTool();
    return options;
}

bool isStaticProgram(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    Elf64_Ehdr header{};
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
        return false;
    }
    file.seekg(static_cast<std::streamoff>(header.e_phoff));
    for (int i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment{};
        if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) {
            return false;
        }
        if (segment.p_type == PT_INTERP) {
            return false;
        }
    }
    return header.e_phnum > 0;
}

}  // namespace rankscope
