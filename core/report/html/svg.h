// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace rankscope::report {

/// The width of drawings: that of the page, in its pixels.
inline constexpr double kPageWidth = 1040;

/// A coordinate as text: up to two decimals, independent of the locale.
[[nodiscard]] std::string coordinate(double value);

/// A rectangle. `attributes` are SVG.
[[nodiscard]] std::string svgRect(double x, double y, double width, double height, std::string_view attributes);
[[nodiscard]] std::string svgLine(double x1, double y1, double x2, double y2, std::string_view css_class);
/// A text, escaped; `anchor` is "start", "middle" or "end".
[[nodiscard]] std::string svgText(double x, double y, std::string_view anchor, std::string_view text,
                                  std::string_view css_class = {});
/// The tooltip of the group that contains it.
[[nodiscard]] std::string svgTip(std::string_view text);
/// A drawing of this size, with `title` for screen readers. It shrinks with the page.
[[nodiscard]] std::string svgDrawing(double width, double height, std::string_view title, std::string_view content);

/// Columns side by side, evenly spaced over a width. A few columns do not fill it.
struct ColumnLayout {
    ColumnLayout(double room, std::size_t columns, double widest);
    [[nodiscard]] double middle(std::size_t column) const { return each * (static_cast<double>(column) + 0.5); }
    [[nodiscard]] double left(std::size_t column) const { return middle(column) - width / 2; }

    double each;   ///< from the middle of one column to the middle of the next
    double width;  ///< width of a column
};

/// If there are more items than `most` columns can show: for each group of neighbours, as long as needed, the position
/// of the one with the largest `value(position)`. Else all positions. Linear.
template <class Value>
[[nodiscard]] std::vector<std::size_t> longestOfRuns(std::size_t items, std::size_t most, Value value) {
    const std::size_t run = std::max<std::size_t>(1, (items + most - 1) / most);
    std::vector<std::size_t> longest;
    longest.reserve(items / run + 1);
    for (std::size_t first = 0; first < items; first += run) {
        std::size_t at = first;
        for (std::size_t i = first + 1; i < std::min(items, first + run); ++i) {
            at = value(i) > value(at) ? i : at;
        }
        longest.push_back(at);
    }
    return longest;
}
/// The note beneath a chart of `items` with fewer `columns`: each column is the longest of several. Empty if all are
/// shown.
[[nodiscard]] std::string mergedColumnsNote(std::size_t items, std::size_t columns);

/// The ticks of an axis from 0 to `longest`: at multiples of 1, 2 or 5 times a power of ten, about `wanted` of them,
/// the last at or below `longest`. Only 0 if `longest` is not above zero.
[[nodiscard]] std::vector<DurationNs> ticksOf(DurationNs longest, int wanted);
/// The label of a tick: "0", "20 ms", "1.5 s".
[[nodiscard]] std::string tickText(DurationNs ns);

}  // namespace rankscope::report
