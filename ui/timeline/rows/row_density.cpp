// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/row_density.h"

#include <array>
#include <cmath>

namespace rankscope::ui {
namespace {

/// The heights of a rank's rows, relative to the usual ones, and its gaps in logical pixels.
struct Scale {
    double header = 1.0;
    double group = 1.0;
    double row = 1.0;
    int gap = metrics::kTrackGap;
    int band = metrics::kBandHeight;
};

constexpr Scale kLoose;
constexpr Scale kDense = {0.8, 0.82, 0.78, 3, 4};
constexpr Scale kDenser = {0.67, 0.68, 0.62, 2, 3};
constexpr Scale kDensest = {0.6, 0.55, 0.5, 1, 2};  // names of 9 pixels still fit

struct Level {
    Scale focus;
    Scale others;
    std::uint16_t some_rows;
};
constexpr std::array<Level, 8> kLevels = {{{kLoose, kLoose, 8},
                                           {kLoose, kLoose, 5},
                                           {kLoose, kDense, 5},
                                           {kLoose, kDense, 3},
                                           {kLoose, kDenser, 3},
                                           {kDense, kDenser, 3},
                                           {kDenser, kDensest, 3},
                                           {kDensest, kDensest, 2}}};
constexpr std::size_t kReadableLevel = 4;

RankHeights heightsOf(const RowSizes& sizes, const Scale& scale) {
    const auto part = [](int whole, double share) { return static_cast<int>(std::lround(whole * share)); };
    return {part(sizes.rank, scale.header), part(sizes.group, scale.group), part(sizes.row, scale.row), scale.gap,
            scale.band};
}

}  // namespace

RowDensity looseDensity(const RowSizes& sizes, std::uint16_t some_rows) {
    return {heightsOf(sizes, kLoose), heightsOf(sizes, kLoose), some_rows};
}

std::size_t densityCount() {
    return kLevels.size();
}

RowDensity densityAt(std::size_t level, const RowSizes& sizes) {
    const Level& of = kLevels.at(level);
    return {heightsOf(sizes, of.focus), heightsOf(sizes, of.others), of.some_rows};
}

std::size_t readableDensity() {
    return kReadableLevel;
}

}  // namespace rankscope::ui
