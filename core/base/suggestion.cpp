// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/suggestion.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace rankscope {
namespace {

/// How many letters to change, add, leave out or swap with their neighbour turn `a` into `b` (optimal string alignment;
/// https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    std::iota(rows[0].begin(), rows[0].end(), 0U);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        rows[i][0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, changed});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
            }
        }
    }
    return rows[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    constexpr std::size_t kMost = 2;
    constexpr std::size_t kLongest = 200;
    std::string best;
    std::size_t least = std::min(kMost, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const bool possible =
            word.size() <= kLongest && candidate.size() < word.size() + least && word.size() < candidate.size() + least;
        if (const std::size_t far = possible ? distance(word, candidate) : least; far < least) {
            least = far;
            best = candidate;
        }
    }
    return best;
}

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

}  // namespace rankscope
