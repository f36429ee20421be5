// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/loaded_parts.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "core/ingest/files/content_hash.h"

namespace rankscope {
namespace {

/// The loaded traces, in parts.
std::vector<LoadedPart> partsOfFiles(const RunSource& source, TracesOfFiles& loaded) {
    std::vector<LoadedPart> parts;
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        std::map<std::pair<std::string, std::string>, std::size_t> by_trace;
        const std::size_t first = parts.size();
        for (std::shared_ptr<RankTrace>& trace : loaded[i]) {
            const TraceFile& file = trace->files.front();
            const auto of =
                file.digest.empty() ? std::pair<std::string, std::string>() : std::pair(file.path, file.member);
            const auto [at, is_new] = by_trace.try_emplace(of, parts.size());
            if (is_new) {
                parts.push_back({i, {file.path, file.member}, {}, {}});
            }
            parts[at->second].traces.push_back(std::move(trace));
        }
        if (parts.size() == first + 1) {
            parts[first].named = source.files[i];
        }
    }
    return parts;
}

/// The file of a trace, independent of the path by which it is reached.
std::string placeOf(const LoadedPart& part) {
    const TraceFile& file = part.traces.front()->files.front();
    std::error_code error;
    const std::filesystem::path path = std::filesystem::weakly_canonical(file.path, error);
    return (error ? file.path : path.string()) + '\0' + file.member;
}

std::vector<std::optional<RankNumber>> ranksOf(const LoadedPart& part) {
    std::vector<std::optional<RankNumber>> ranks;
    std::ranges::transform(part.traces, std::back_inserter(ranks), [](const auto& trace) { return trace->rank; });
    return ranks;
}

/// Whether two parts, whose files have one path, are the same trace, judged by content or ranks. Machines may each have
/// their own disk, with files of the same path.
bool sameTrace(const LoadedPart& a, const LoadedPart& b) {
    const TraceFile& of_a = a.traces.front()->files.front();
    const TraceFile& of_b = b.traces.front()->files.front();
    const bool both_here = of_a.digest.empty() && of_b.digest.empty();
    const bool same_content = of_a.content_hash && of_a.content_hash == of_b.content_hash;
    const std::vector<std::optional<RankNumber>> ranks = ranksOf(a);
    const bool all_numbered = std::ranges::all_of(ranks, [](const auto& rank) { return rank.has_value(); });
    const bool same_ranks = ranks == ranksOf(b) && (all_numbered || of_a.bytes == of_b.bytes);
    return both_here || same_content || same_ranks;
}

/// The name and size of a trace's file, at any place: a digest has the place where it was made.
std::string nameOf(const LoadedPart& part) {
    const TraceFile& file = part.traces.front()->files.front();
    return std::filesystem::path(file.path).filename().string() + '\0' + std::to_string(file.bytes);
}

/// Whether of two parts one is the digest of the other, which was moved or copied since: its size and content show it.
bool isDigestOf(const LoadedPart& a, const LoadedPart& b) {
    const TraceFile& of_a = a.traces.front()->files.front();
    const TraceFile& of_b = b.traces.front()->files.front();
    if (of_a.digest.empty() == of_b.digest.empty() || of_a.member != of_b.member) {
        return false;
    }
    TraceFile moved = of_a.digest.empty() ? of_b : of_a;
    moved.path = of_a.digest.empty() ? of_a.path : of_b.path;
    return !hasChanged(moved);
}

/// Whether `a` is preferred to `b`, which is of the same trace: the trace itself, or the newer digest.
bool isBetter(const LoadedPart& a, const LoadedPart& b) {
    const TraceFile& of_a = a.traces.front()->files.front();
    const TraceFile& of_b = b.traces.front()->files.front();
    return of_a.digest.empty() != of_b.digest.empty() ? of_a.digest.empty() : of_a.modified_ns > of_b.modified_ns;
}

/// Takes each trace once: a digest next to its own trace, or to a file that it was merged into, is not a second run.
std::vector<LoadedPart> eachOnce(const RunSource& source, std::vector<LoadedPart> parts) {
    std::vector<LoadedPart> kept;
    std::multimap<std::string, std::size_t> by_place;
    std::multimap<std::string, std::size_t> by_name;
    const auto find = [](const auto& index, const std::string& key, const auto& is_same) {
        const auto [begin, end] = index.equal_range(key);
        const auto at = std::find_if(begin, end, [&](const auto& entry) { return is_same(entry.second); });
        return at == end ? std::nullopt : std::optional(at->second);
    };
    for (LoadedPart& part : parts) {
        const std::string place = placeOf(part);
        const std::string name = nameOf(part);
        auto known = find(by_place, place, [&](std::size_t k) { return sameTrace(kept[k], part); });
        if (!known) {
            known = find(by_name, name, [&](std::size_t k) { return isDigestOf(kept[k], part); });
        }
        if (!known) {
            by_place.emplace(place, kept.size());
            by_name.emplace(name, kept.size());
            kept.push_back(std::move(part));
            continue;
        }
        LoadedPart& other = kept[*known];
        std::set<std::string> left_out = std::move(other.left_out);
        if (isBetter(part, other)) {
            std::swap(part, other);
        }
        left_out.insert(source.files[part.file].name());
        other.left_out = std::move(left_out);
    }
    return kept;
}

}  // namespace

std::vector<LoadedPart> partsOf(const RunSource& source, TracesOfFiles loaded) {
    return eachOnce(source, partsOfFiles(source, loaded));
}

}  // namespace rankscope
