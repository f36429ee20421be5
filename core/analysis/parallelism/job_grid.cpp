// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/job_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/analysis/parallelism/group_roles.h"

namespace rankscope {
namespace {

/// Innermost first: tensor groups divide within one place of all others, replicas span everything. Experts span data,
/// so they come last.
constexpr std::array<Role, 6> kInnerFirst = {Role::Tensor, Role::Sequence, Role::Pipeline,
                                             Role::Shard,  Role::Data,     Role::Expert};

using Members = std::vector<RankNumber>;

/// Places by rank number in one dimension.
struct Dimension {
    GridDimension grid;
    std::map<RankNumber, std::int32_t> places;

    [[nodiscard]] std::optional<std::int32_t> placeOf(RankNumber rank) const {
        const auto at = places.find(rank);
        return at != places.end() ? std::optional(at->second) : std::nullopt;
    }
};

class GridMaker {
  public:
    GridMaker(const Run& run, const std::vector<GroupRole>& groups) : run_(run), groups_(groups) {}

    JobGrid make() {
        grid_.world_size = worldSizeOf(run_);
        for (const Role role : kInnerFirst) {
            addDimension(role);
        }
        std::ranges::sort(dimensions_, {}, [](const Dimension& d) { return d.grid.role; });
        placeRanks();
        tellWhatIsMissing();
        return std::move(grid_);
    }

  private:
    void addDimension(Role role);
    [[nodiscard]] std::vector<Members> groupsOf(Role role);
    [[nodiscard]] std::optional<std::vector<Members>> linesOf(const Members& members) const;
    void placeRanks();
    void tellWhatIsMissing();

    const Run& run_;
    const std::vector<GroupRole>& groups_;
    std::vector<Dimension> dimensions_;
    JobGrid grid_;
};

/// The smallest groups of a role, each once; none, with a note, if two of them share a rank.
std::vector<Members> GridMaker::groupsOf(Role role) {
    std::set<Members> lists;
    std::size_t smallest = 0;
    for (const GroupRole& group : groups_) {
        const std::size_t size = group.ranks.size();
        if (group.role == role && group.whole && size > 1) {
            smallest = smallest == 0 ? size : std::min(smallest, size);
            lists.insert(group.ranks);
        }
    }
    std::erase_if(lists, [smallest](const Members& members) { return members.size() != smallest; });
    std::set<RankNumber> placed;
    for (const Members& members : lists) {
        for (const RankNumber rank : members) {
            if (!placed.insert(rank).second) {
                grid_.notes.push_back(
                    fmt::format("Rank {} is in two {} groups of {}: they form no dimension of the grid.", rank.value,
                                roleName(role), smallest));
                return {};
            }
        }
    }
    return {lists.begin(), lists.end()};
}

/// `members` in lines; the members of a line share their places in all dimensions so far. Nothing if `members` differ
/// in a dimension in which not all of them have a place.
std::optional<std::vector<Members>> GridMaker::linesOf(const Members& members) const {
    std::map<std::vector<std::int32_t>, Members> lines;
    for (const RankNumber rank : members) {
        lines[{}].push_back(rank);
    }
    for (const Dimension& dimension : dimensions_) {
        std::set<std::optional<std::int32_t>> places;
        for (const RankNumber rank : members) {
            places.insert(dimension.placeOf(rank));
        }
        const bool some_unknown = places.erase(std::nullopt) > 0;
        if (places.size() < 2) {
            continue;
        }
        if (some_unknown) {
            return std::nullopt;
        }
        std::map<std::vector<std::int32_t>, Members> divided;
        for (const auto& [place, line] : lines) {
            for (const RankNumber rank : line) {
                std::vector<std::int32_t> further = place;
                further.push_back(*dimension.placeOf(rank));
                divided[std::move(further)].push_back(rank);
            }
        }
        lines = std::move(divided);
    }
    std::vector<Members> out;
    for (auto& [place, line] : lines) {
        out.push_back(std::move(line));
    }
    return out;
}

void GridMaker::addDimension(Role role) {
    Dimension dimension;
    dimension.grid.role = role;
    std::set<std::size_t> sizes;
    std::set<std::optional<std::int32_t>> strides;
    for (const Members& members : groupsOf(role)) {
        const std::optional<std::vector<Members>> lines = linesOf(members);
        for (const Members& line : lines.value_or(std::vector<Members>())) {
            for (std::size_t i = 0; i < line.size(); ++i) {
                dimension.places[line[i]] = static_cast<std::int32_t>(i);
            }
            strides.insert(strideOf(line));
        }
        sizes.insert(lines ? lines->front().size() : 0);
        if (lines && std::ranges::any_of(*lines, [&](const Members& l) { return l.size() != lines->front().size(); })) {
            sizes.insert(0);
        }
    }
    if (sizes.empty() || (sizes.size() == 1 && *sizes.begin() == 1)) {
        return;
    }
    if (sizes.size() > 1 || *sizes.begin() == 0) {
        grid_.notes.push_back(fmt::format(
            "The {} groups cut across the other dimensions: their place in the grid is unknown.", roleName(role)));
        return;
    }
    dimension.grid.size = static_cast<std::int32_t>(*sizes.begin());
    dimension.grid.stride = strides.size() == 1 ? *strides.begin() : std::nullopt;
    dimensions_.push_back(std::move(dimension));
}

void GridMaker::placeRanks() {
    for (const Dimension& dimension : dimensions_) {
        grid_.dimensions.push_back(dimension.grid);
    }
    grid_.places.assign(run_.ranks.size(), {});
    for (std::size_t r = 0; r < run_.ranks.size(); ++r) {
        for (const Dimension& dimension : dimensions_) {
            const std::optional<RankNumber> number = run_.ranks[r]->rank;
            grid_.places[r].push_back(number ? dimension.placeOf(*number) : std::nullopt);
        }
    }
}

void GridMaker::tellWhatIsMissing() {
    const auto world = static_cast<std::int64_t>(grid_.world_size);
    std::int64_t product = 1;
    for (const GridDimension& dimension : grid_.dimensions) {
        product *= product <= world ? dimension.size : 1;  // in damaged files groups may be of any size
    }
    grid_.complete = !grid_.dimensions.empty() && product == world;
    const auto opened = static_cast<std::int64_t>(run_.ranks.size());
    const bool unplaced = std::ranges::any_of(grid_.places, [](const auto& places) {
        return std::ranges::any_of(places, [](const auto& place) { return !place; });
    });
    if (unplaced) {
        grid_.notes.emplace_back("Some ranks have no place in a dimension: the files do not show their group.");
    }
    if (world <= 1 || grid_.complete) {
        return;
    }
    const std::string traced = opened < world ? fmt::format("{} of {} ranks traced. ", opened, world) : std::string();
    if (grid_.dimensions.empty()) {
        grid_.notes.push_back(traced + "No group has a role that is a dimension of the job.");
    } else if (world % product == 0) {
        grid_.notes.push_back(fmt::format(
            "{}The known dimensions make {} of {} ranks. No group shows what the other factor of {} is for.", traced,
            product, world, world / product));
    } else {
        grid_.notes.push_back(
            fmt::format("{}The known dimensions make {}, which does not divide {} ranks.", traced, product, world));
    }
}

}  // namespace

JobGrid gridOf(const Run& run, const std::vector<GroupRole>& groups) {
    return GridMaker(run, groups).make();
}

}  // namespace rankscope
