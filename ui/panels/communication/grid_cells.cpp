// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/grid_cells.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace rankscope::ui {
namespace {

using Places = std::vector<std::int32_t>;  // one for each dimension

constexpr std::size_t kMostCells = 1U << 16U;
constexpr int kShortLine = 16;  // cells per line; twice as many in maps of more than kLongLines cells
constexpr std::size_t kLongLines = 256;

int lineOf(std::size_t cells) {
    const int all = static_cast<int>(std::min(cells, kMostCells));
    return all <= kShortLine ? std::max(1, all) : cells <= kLongLines ? kShortLine : 2 * kShortLine;
}

/// A rank with its whole place.
struct Placed {
    RankPosition rank;
    Places places;
};

/// The blocks, rows and columns of a map before it is drawn.
class Arranging {
  public:
    Arranging(const AnalysedRun& run, const GridAxes& axes)
        : run_(run), grid_(run.facts.parallelism.grid), axes_(axes) {}

    GridCells arrange() {
        out_.axes = axes_;
        if (grid_.dimensions.empty() || !axes_.across) {
            byNumber();
            return std::move(out_);
        }
        collect();
        chooseBlocks();
        if (extentOf(*axes_.across) * (axes_.down ? extentOf(*axes_.down) : 1) > kMostCells) {
            byNumber();
            return std::move(out_);
        }
        place();
        addMissing();
        wrap();
        addUnplaced();
        std::ranges::sort(out_.cells, {}, [](const GridCell& c) { return std::tuple(c.block, c.row, c.column); });
        return std::move(out_);
    }

  private:
    void collect() {
        sizes_.assign(grid_.dimensions.size(), 1);
        for (std::size_t d = 0; d < sizes_.size(); ++d) {
            sizes_[d] = static_cast<std::size_t>(std::max(1, grid_.dimensions[d].size));
        }
        for (RankPosition rank{0}; rank < run_.run->ranks.size(); ++rank) {
            Places places;
            for (std::size_t d = 0; rank < grid_.places.size() && d < sizes_.size(); ++d) {
                if (const auto& place = grid_.places[rank][d]; place && *place >= 0) {
                    places.push_back(*place);
                    sizes_[d] = std::max(sizes_[d], static_cast<std::size_t>(*place) + 1);
                }
            }
            if (places.size() == sizes_.size()) {
                placed_.push_back({rank, std::move(places)});
            } else {
                unplaced_.push_back(rank);
            }
        }
    }

    [[nodiscard]] std::size_t extentOf(std::size_t dimension) const { return sizes_[dimension]; }
    [[nodiscard]] bool isAxis(std::size_t dimension) const {
        return axes_.across == dimension || axes_.down == dimension;
    }

    /// Whether the places in the other dimensions determine the place in this one: then it is nested in them.
    [[nodiscard]] bool followsFrom(std::size_t dimension, const std::vector<std::size_t>& others) const {
        std::map<Places, std::int32_t> known;
        return std::ranges::all_of(placed_, [&](const Placed& of) {
            Places rest;
            for (const std::size_t other : others) {
                rest.push_back(of.places[other]);
            }
            return known.emplace(std::move(rest), of.places[dimension]).first->second == of.places[dimension];
        });
    }

    void chooseBlocks() {
        for (std::size_t d = 0; d < sizes_.size(); ++d) {
            if (!isAxis(d)) {
                of_blocks_.push_back(d);
            }
        }
        for (std::size_t i = of_blocks_.size(); i-- > 0 && !grid_.complete;) {
            std::vector<std::size_t> others;
            for (std::size_t d = 0; d < sizes_.size(); ++d) {
                const bool kept = isAxis(d) || std::ranges::find(of_blocks_, d) != of_blocks_.end();
                if (kept && d != of_blocks_[i]) {
                    others.push_back(d);
                }
            }
            if (followsFrom(of_blocks_[i], others)) {
                of_blocks_.erase(of_blocks_.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }

    using BlockKey = std::pair<Places, int>;  // places, copy
    [[nodiscard]] Places blockPlaces(const Places& places) const {
        Places of;
        for (const std::size_t d : of_blocks_) {
            of.push_back(places[d]);
        }
        return of;
    }
    [[nodiscard]] int rowOf(const Places& places) const { return axes_.down ? places[*axes_.down] : 0; }
    [[nodiscard]] int columnOf(const Places& places) const { return places[*axes_.across]; }

    void place() {
        out_.columns = static_cast<int>(extentOf(*axes_.across));
        out_.rows = axes_.down ? static_cast<int>(extentOf(*axes_.down)) : 1;
        std::map<std::tuple<Places, int, int>, int> taken;
        std::vector<int> copies;
        for (const Placed& of : placed_) {
            copies.push_back(taken[{blockPlaces(of.places), rowOf(of.places), columnOf(of.places)}]++);
            several_ = several_ || copies.back() > 0;
        }
        std::map<BlockKey, std::vector<GridCell>> blocks;
        for (std::size_t i = 0; i < placed_.size(); ++i) {
            const Places& at = placed_[i].places;
            const bool as_rows = several_ && !axes_.down;
            const GridCell cell{0, as_rows ? copies[i] : rowOf(at), columnOf(at), placed_[i].rank, std::nullopt};
            out_.rows = std::max(out_.rows, cell.row + 1);
            blocks[{blockPlaces(at), as_rows ? 0 : copies[i]}].push_back(cell);
        }
        if (grid_.complete && !several_) {
            allBlocks(blocks);
        }
        for (auto& [key, cells] : blocks) {
            GridBlock block;
            for (std::size_t i = 0; i < of_blocks_.size(); ++i) {
                block.places.emplace_back(grid_.dimensions[of_blocks_[i]].role, key.first[i]);
            }
            block.copy = several_ && axes_.down ? key.second + 1 : 0;
            for (GridCell& cell : cells) {
                cell.block = static_cast<int>(out_.blocks.size());
                out_.cells.push_back(cell);
            }
            block_places_.push_back(key.first);
            out_.blocks.push_back(std::move(block));
        }
    }

    /// Also adds the blocks without a recorded rank, unless there are too many cells.
    void allBlocks(std::map<BlockKey, std::vector<GridCell>>& blocks) const {
        std::size_t cells = static_cast<std::size_t>(out_.rows) * static_cast<std::size_t>(out_.columns);
        for (const std::size_t d : of_blocks_) {
            cells *= extentOf(d);
            if (cells > kMostCells) {
                return;
            }
        }
        Places places(of_blocks_.size(), 0);
        for (bool more = true; more;) {
            blocks[{places, 0}];
            more = false;
            for (std::size_t i = places.size(); i-- > 0 && !more;) {
                more = static_cast<std::size_t>(++places[i]) < extentOf(of_blocks_[i]);
                places[i] = more ? places[i] : 0;
            }
        }
    }

    void addMissing() {
        if (!grid_.complete || several_) {
            return;
        }
        const GridNumbers numbers(*run_.run, grid_);
        std::set<std::tuple<int, int, int>> taken;
        for (const GridCell& cell : out_.cells) {
            taken.emplace(cell.block, cell.row, cell.column);
        }
        for (int block = 0; block < static_cast<int>(out_.blocks.size()); ++block) {
            for (int row = 0; row < out_.rows; ++row) {
                for (int column = 0; column < out_.columns; ++column) {
                    if (!taken.contains({block, row, column})) {
                        out_.cells.push_back(
                            {block, row, column, std::nullopt, numbers.at(placesAt(block, row, column))});
                    }
                }
            }
        }
    }

    [[nodiscard]] Places placesAt(int block, int row, int column) const {
        Places places(sizes_.size(), 0);
        for (std::size_t i = 0; i < of_blocks_.size(); ++i) {
            places[of_blocks_[i]] = block_places_[static_cast<std::size_t>(block)][i];
        }
        places[*axes_.across] = column;
        if (axes_.down) {
            places[*axes_.down] = row;
        }
        return places;
    }

    /// Wraps one long row into several.
    void wrap() {
        if (out_.rows == 1 && out_.blocks.size() <= 1 && out_.columns > kShortLine) {
            wrapAt(lineOf(static_cast<std::size_t>(out_.columns)));
        }
    }

    void wrapAt(int line) {
        out_.wrapped = true;
        for (GridCell& cell : out_.cells) {
            cell.row = cell.column / line;
            cell.column %= line;
            out_.rows = std::max(out_.rows, cell.row + 1);
        }
        out_.columns = line;
    }

    void addUnplaced() {
        if (unplaced_.empty()) {
            return;
        }
        out_.columns = std::max(out_.columns, out_.blocks.empty() ? lineOf(unplaced_.size()) : 1);
        const auto block = static_cast<int>(out_.blocks.size());
        GridBlock of;
        of.place_unknown = true;
        out_.blocks.push_back(of);
        int at = 0;
        for (const RankPosition rank : unplaced_) {
            out_.cells.push_back({block, at / out_.columns, at % out_.columns, rank, std::nullopt});
            out_.rows = std::max(out_.rows, at / out_.columns + 1);
            ++at;
        }
    }

    void byNumber() {
        out_.blocks.assign(1, {});
        const auto& ranks = run_.run->ranks;
        const auto world = static_cast<std::size_t>(std::max(0, grid_.world_size));
        const bool numbered =
            world <= kMostCells && std::ranges::all_of(ranks, [world](const auto& rank) {
                return rank->rank && rank->rank->value >= 0 && static_cast<std::size_t>(rank->rank->value) < world;
            });
        std::vector<std::optional<RankPosition>> by_place(numbered ? world : ranks.size());
        for (RankPosition rank{0}; rank < ranks.size(); ++rank) {
            by_place[numbered ? static_cast<std::size_t>(ranks[rank]->rank->value) : std::size_t{rank}] = rank;
        }
        out_.rows = 1;
        for (std::size_t i = 0; i < by_place.size(); ++i) {
            const auto column = static_cast<int>(i);
            const auto number = by_place[i] ? std::nullopt : std::optional(RankNumber(static_cast<std::int32_t>(i)));
            out_.cells.push_back({0, 0, column, by_place[i], number});
        }
        wrapAt(lineOf(by_place.size()));
    }

    const AnalysedRun& run_;
    const JobGrid& grid_;
    GridAxes axes_;
    GridCells out_;
    std::vector<std::size_t> sizes_;  // by dimension
    std::vector<Placed> placed_;
    std::vector<RankPosition> unplaced_;
    std::vector<std::size_t> of_blocks_;  // dimensions
    std::vector<Places> block_places_;    // as out_.blocks, as of_blocks_
    bool several_ = false;                // ranks share all their places
};

}  // namespace

std::size_t GridCells::missing() const {
    return static_cast<std::size_t>(std::ranges::count_if(cells, [](const GridCell& cell) { return !cell.rank; }));
}

GridAxes defaultAxes(const JobGrid& grid) {
    GridAxes axes;
    const auto largest = [&](std::optional<std::size_t> besides) {
        std::optional<std::size_t> found;
        for (std::size_t d = 0; d < grid.dimensions.size(); ++d) {
            if (besides != d && (!found || grid.dimensions[d].size >= grid.dimensions[*found].size)) {
                found = d;
            }
        }
        return found;
    };
    axes.across = dimensionOf(grid, Role::Pipeline);
    if (!axes.across) {
        axes.across = largest(std::nullopt);
    }
    axes.down = largest(axes.across);
    return axes;
}

GridCells cellsOf(const AnalysedRun& run, const GridAxes& axes) {
    return Arranging(run, axes).arrange();
}

}  // namespace rankscope::ui
