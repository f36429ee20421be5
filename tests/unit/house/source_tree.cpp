// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/house/source_tree.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

namespace rankscope::test {
namespace {

constexpr std::array<std::string_view, 10> kPlaces = {"core",  "ui",        "app",       "python", "tests",
                                                      "cmake", "packaging", "resources", ".ci",    "docs"};
constexpr std::array<std::string_view, 6> kFiles = {"dev",       "CMakeLists.txt",  "CMakePresets.json",
                                                    "README.md", "CONTRIBUTING.md", "CHANGELOG.md"};
constexpr std::array<std::string_view, 4> kData = {"tests/corpus", "tests/data", "tests/fuzz/seeds",
                                                   "resources/samples"};
constexpr std::array<std::string_view, 14> kText = {".h",  ".cpp", ".cmake", ".txt", ".py",  ".sh",      ".json",
                                                    ".md", ".svg", ".qrc",   ".xml", ".qss", ".desktop", ".in"};

bool isData(const std::string& path) {
    return std::any_of(kData.begin(), kData.end(), [&](std::string_view folder) { return path.starts_with(folder); });
}

bool isText(const std::filesystem::path& path) {
    const std::string ending = path.extension().string();
    return ending.empty() || std::find(kText.begin(), kText.end(), ending) != kText.end();
}

SourceFile readSource(const std::filesystem::path& root, const std::filesystem::path& file) {
    SourceFile source{file.lexically_relative(root).generic_string(), {}};
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        source.lines.push_back(std::move(line));
    }
    return source;
}

}  // namespace

std::vector<SourceFile> readSourceTree(const std::filesystem::path& root) {
    std::vector<SourceFile> files;
    for (const std::string_view name : kFiles) {
        if (std::filesystem::is_regular_file(root / name)) {
            files.push_back(readSource(root, root / name));
        }
    }
    for (const std::string_view place : kPlaces) {
        if (!std::filesystem::is_directory(root / place)) {
            continue;
        }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / place)) {
            const std::string path = entry.path().lexically_relative(root).generic_string();
            if (entry.is_regular_file() && isText(entry.path()) && !isData(path)) {
                files.push_back(readSource(root, entry.path()));
            }
        }
    }
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return files;
}

}  // namespace rankscope::test
