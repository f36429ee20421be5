// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/grid_places.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace rankscope {
namespace {

/// The places of a rank in all dimensions; nothing if one is unknown.
std::optional<std::vector<std::int32_t>> wholePlace(const JobGrid& grid, RankPosition rank) {
    if (rank >= grid.places.size()) {
        return std::nullopt;
    }
    std::vector<std::int32_t> places;
    for (const std::optional<std::int32_t>& place : grid.places[rank]) {
        if (!place) {
            return std::nullopt;
        }
        places.push_back(*place);
    }
    return places;
}

std::int64_t added(const std::vector<std::int64_t>& strides, std::span<const std::int32_t> places) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < std::min(strides.size(), places.size()); ++d) {
        sum += strides[d] * places[d];
    }
    return sum;
}

}  // namespace

std::optional<std::size_t> dimensionOf(const JobGrid& grid, Role role) {
    const auto at = std::ranges::find(grid.dimensions, role, &GridDimension::role);
    return at != grid.dimensions.end() ? std::optional(static_cast<std::size_t>(at - grid.dimensions.begin()))
                                       : std::nullopt;
}

std::optional<std::int32_t> placeIn(const JobGrid& grid, Role role, RankPosition rank) {
    const std::optional<std::size_t> dimension = dimensionOf(grid, role);
    return dimension && rank < grid.places.size() ? grid.places[rank][*dimension] : std::nullopt;
}

std::vector<RanksOfPlace> ranksByPlace(const JobGrid& grid, Role role, std::span<const RankPosition> ranks) {
    std::vector<RanksOfPlace> out;
    if (!dimensionOf(grid, role)) {
        return out;
    }
    std::map<std::int32_t, std::vector<RankPosition>> by_place;
    std::vector<RankPosition> unknown;
    for (const RankPosition rank : ranks) {
        const std::optional<std::int32_t> place = placeIn(grid, role, rank);
        (place ? by_place[*place] : unknown).push_back(rank);
    }
    for (auto& [place, members] : by_place) {
        out.push_back({place, std::move(members)});
    }
    if (!unknown.empty()) {
        out.push_back({std::nullopt, std::move(unknown)});
    }
    return out;
}

GridNumbers::GridNumbers(const Run& run, const JobGrid& grid) {
    std::vector<std::int64_t> strides;
    for (const GridDimension& dimension : grid.dimensions) {
        if (!dimension.stride && dimension.size > 1) {
            return;
        }
        strides.push_back(dimension.stride.value_or(0));
    }
    std::optional<std::int64_t> first;
    for (RankPosition rank{0}; rank < run.ranks.size(); ++rank) {
        const auto places = wholePlace(grid, rank);
        if (!places) {
            continue;
        }
        if (!run.ranks[rank]->rank) {
            return;
        }
        const std::int64_t own = run.ranks[rank]->rank->value - added(strides, *places);
        if (own != first.value_or(own)) {
            return;
        }
        first = own;
    }
    if (first) {
        first_ = *first;
        strides_ = std::move(strides);
    }
}

std::optional<RankNumber> GridNumbers::at(std::span<const std::int32_t> places) const {
    const std::int64_t number = first_ + added(strides_, places);
    const bool told = !strides_.empty() && strides_.size() == places.size() && number >= 0 &&
                      number <= std::numeric_limits<std::int32_t>::max();
    return told ? std::optional(RankNumber(static_cast<std::int32_t>(number))) : std::nullopt;
}

}  // namespace rankscope
