// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/match_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/base/format.h"
#include "core/trace/rank_trace.h"

namespace rankscope {
namespace {

using Matches = std::vector<std::optional<RankPosition>>;

bool isSameRank(const Run& a, RankPosition in_a, const Run& b, RankPosition in_b) {
    const std::optional<RankNumber> number_a = a.ranks[in_a]->rank;
    const std::optional<RankNumber> number_b = b.ranks[in_b]->rank;
    return number_a && number_b ? *number_a == *number_b : in_a == in_b;
}

bool shareRanks(const Run& a, const Run& b) {
    for (RankPosition i{0}; i < a.ranks.size(); ++i) {
        for (RankPosition j{0}; j < b.ranks.size(); ++j) {
            if (isSameRank(a, i, b, j)) {
                return true;
            }
        }
    }
    return false;
}

Matches matchByNumber(const Run& a, const Run& b) {
    Matches matches(a.ranks.size());
    if (!shareRanks(a, b)) {
        for (RankPosition i{0}; i < std::min(a.ranks.size(), b.ranks.size()); ++i) {
            matches[i] = i;
        }
        return matches;
    }
    std::vector<bool> taken(b.ranks.size(), false);
    for (RankPosition i{0}; i < a.ranks.size(); ++i) {
        for (RankPosition j{0}; j < b.ranks.size() && !matches[i]; ++j) {
            if (!taken[j] && isSameRank(a, i, b, j)) {
                taken[j] = true;
                matches[i] = j;
            }
        }
    }
    return matches;
}

/// A rank's place in the grid, by role. Shards count as data: both divide the batch.
using Place = std::array<std::int32_t, kRoleCount>;
using RankAtPlace = std::map<Place, RankPosition>;

/// Nothing if a place cannot be determined, or if two ranks share one.
std::optional<RankAtPlace> placesOf(const JobGrid& grid, std::size_t ranks, bool experts) {
    if (grid.dimensions.empty() || grid.places.size() != ranks) {
        return std::nullopt;
    }
    RankAtPlace at;
    for (RankPosition r{0}; r < ranks; ++r) {
        Place place{};
        for (std::size_t d = 0; d < grid.dimensions.size(); ++d) {
            const GridDimension& dimension = grid.dimensions[d];
            if (!grid.places[r][d]) {
                return std::nullopt;
            }
            const bool shards = dimension.role == Role::Shard;
            std::int32_t& own = place.at(static_cast<std::size_t>(shards ? Role::Data : dimension.role));
            const bool counts = experts || dimension.role != Role::Expert;
            own = counts ? own * (shards ? dimension.size : 1) + *grid.places[r][d] : own;
        }
        if (!at.try_emplace(place, r).second) {
            return std::nullopt;
        }
    }
    return at;
}

/// Expert groups are mostly part of other dimensions; if not, they are a dimension of their own.
std::optional<RankAtPlace> placesOf(const AnalysedRun& run) {
    const JobGrid& grid = run.facts.parallelism.grid;
    if (std::optional<RankAtPlace> places = placesOf(grid, run.run->ranks.size(), false)) {
        return places;
    }
    return placesOf(grid, run.run->ranks.size(), true);
}

std::string withoutCounterpart(const AnalysedRun& run, const std::vector<RankPosition>& ranks, const char* of,
                               const char* in) {
    constexpr std::size_t kNamed = 4;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, ranks.size()); ++i) {
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", rankLabel(*run.run->ranks[ranks[i]], ranks[i]),
                             run.facts.parallelism.grid.placeText(ranks[i]));
    }
    const std::string more =
        ranks.size() > kNamed ? fmt::format(" and {} more", formatCount(ranks.size() - kNamed)) : std::string();
    return fmt::format("{} has no rank at the place of {} of {}: {}{}.", in, formatCounted(ranks.size(), "rank"), of,
                       names, more);
}

RankMatches matchByPlace(const AnalysedRun& a, const AnalysedRun& b, const RankAtPlace& places_a,
                         const RankAtPlace& places_b) {
    RankMatches matches{.to_b = Matches(a.run->ranks.size()), .by_place = true, .notes = {}};
    std::vector<RankPosition> only_a;
    std::vector<RankPosition> only_b;
    for (const auto& [place, rank] : places_a) {
        const auto other = places_b.find(place);
        if (other != places_b.end()) {
            matches.to_b[rank] = other->second;
        } else {
            only_a.push_back(rank);
        }
    }
    for (const auto& [place, rank] : places_b) {
        if (!places_a.contains(place)) {
            only_b.push_back(rank);
        }
    }
    std::ranges::sort(only_a);
    std::ranges::sort(only_b);
    matches.notes.push_back(fmt::format("The grids differ ({} against {}): ranks are paired by place, not by number.",
                                        a.facts.parallelism.grid.text(), b.facts.parallelism.grid.text()));
    if (!only_a.empty()) {
        matches.notes.push_back(withoutCounterpart(a, only_a, "A", "B"));
    }
    if (!only_b.empty()) {
        matches.notes.push_back(withoutCounterpart(b, only_b, "B", "A"));
    }
    return matches;
}

/// If the grids are the same by rank number, numbers suffice, even if some ranks were not recorded.
bool areSame(const AnalysedRun& a, const AnalysedRun& b) {
    const auto of = [](const GridDimension& d) { return std::tuple(d.role, d.size, d.stride); };
    return std::ranges::equal(a.facts.parallelism.grid.dimensions, b.facts.parallelism.grid.dimensions, {}, of, of);
}

}  // namespace

RankMatches matchRanks(const AnalysedRun& a, const AnalysedRun& b) {
    if (!areSame(a, b)) {
        const std::optional<RankAtPlace> places_a = placesOf(a);
        const std::optional<RankAtPlace> places_b = placesOf(b);
        const auto also_in_b = [&](const auto& at) { return places_b->contains(at.first); };
        if (places_a && places_b && std::ranges::any_of(*places_a, also_in_b)) {
            return matchByPlace(a, b, *places_a, *places_b);
        }
    }
    return {.to_b = matchByNumber(*a.run, *b.run), .by_place = false, .notes = {}};
}

}  // namespace rankscope
