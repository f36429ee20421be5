// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/suggestion.h"

#include <filesystem>

#include "core/base/nearest.h"

namespace rankscope::cli {
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string found = nearest(word, candidates);
    return found.empty() ? found : "; did you mean \"" + found + "\"?";
}

std::string suggestionForPath(const std::string& path) {
    namespace fs = std::filesystem;
    constexpr std::size_t kMostEntries = 10'000;
    std::error_code error;
    fs::path named(path);
    if (!named.has_filename()) {
        named = named.parent_path();  // "traces/"
    }
    if (fs::exists(named, error)) {
        return {};
    }
    const fs::path folder = named.has_parent_path() ? named.parent_path() : fs::path(".");
    std::vector<std::string> names;
    for (fs::directory_iterator at(folder, error), end; !error && at != end && names.size() < kMostEntries;
         at.increment(error)) {
        names.push_back(at->path().filename().string());
    }
    const std::string found = nearest(named.filename().string(), names);
    return found.empty()
               ? found
               : "; did you mean \"" +
                     (named.has_parent_path() ? named.parent_path() / found : fs::path(found)).string() + "\"?";
}

}  // namespace rankscope::cli
