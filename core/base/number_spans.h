// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rankscope {

/// Consecutive whole numbers, with both ends.
struct NumberSpan {
    std::int64_t first = 0;
    std::int64_t last = 0;
    friend bool operator==(const NumberSpan&, const NumberSpan&) = default;
};

/// Numbers as spans, for a line of text.
struct NumberSpans {
    /// The most spans that a reader goes through: a job of thousands of ranks has lists of hundreds.
    static constexpr std::size_t kMost = 12;
    static constexpr std::size_t kFirstOfMany = 3;

    std::vector<NumberSpan> spans;  ///< in ascending order, with at least one missing number between two spans
    std::size_t numbers = 0;        ///< how many numbers they contain

    /// Whether only named() and the last span are shown.
    [[nodiscard]] bool many() const { return spans.size() > kMost; }
    /// The first spans if there are many, else all.
    [[nodiscard]] std::span<const NumberSpan> named() const {
        return std::span(spans).first(many() ? kFirstOfMany : spans.size());
    }
};

/// `numbers` in any order, each once. O(n log n).
[[nodiscard]] NumberSpans spansOf(std::vector<std::int64_t> numbers);

}  // namespace rankscope
