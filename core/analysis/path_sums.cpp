// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/path_sums.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace rankscope {
namespace {

/// Whether the stretch `at` is more useful than the longest one so far: one without a slice has no target.
bool saysMore(const CriticalPath& path, std::size_t at, std::size_t longest) {
    const PathStretch& a = path.stretches[at];
    const PathStretch& b = path.stretches[longest];
    return std::pair(a.slice.valid(), a.length()) > std::pair(b.slice.valid(), b.length());
}

/// The values of `sums`, the largest first.
template <class Sums>
auto largestFirst(const Sums& sums) {
    std::vector<typename Sums::mapped_type> values;
    values.reserve(sums.size());
    for (const auto& [key, value] : sums) {
        values.push_back(value);
    }
    std::ranges::stable_sort(values, std::ranges::greater(), [](const auto& value) { return value.ns; });
    return values;
}

}  // namespace

std::vector<PathPart> partsOfPath(const CriticalPath& path) {
    std::map<std::pair<PathKind, Cause>, PathPart> sums;
    for (std::size_t i = 0; i < path.stretches.size(); ++i) {
        const PathStretch& stretch = path.stretches[i];
        const Cause cause = stretch.kind == PathKind::Idle ? stretch.cause : Cause::Unrecorded;
        const auto [at, added] = sums.try_emplace({stretch.kind, cause}, PathPart{stretch.kind, cause, 0, i});
        at->second.ns += stretch.length();
        if (saysMore(path, i, at->second.longest)) {
            at->second.longest = i;
        }
    }
    return largestFirst(sums);
}

std::vector<PathShare> ranksOfPath(const CriticalPath& path) {
    std::map<RankPosition, PathShare> sums;
    for (std::size_t i = 0; i < path.stretches.size(); ++i) {
        const PathStretch& stretch = path.stretches[i];
        const auto [at, added] = sums.try_emplace(stretch.worker, PathShare{stretch.worker, 0, 0, i});
        at->second.ns += stretch.length();
        if (saysMore(path, i, at->second.longest)) {
            at->second.longest = i;
        }
    }
    for (const PathTurn& turn : path.turns) {
        if (const auto at = sums.find(turn.last); at != sums.end()) {
            ++at->second.turns;
        }
    }
    return largestFirst(sums);
}

}  // namespace rankscope
