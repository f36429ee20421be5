// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rankscope {

/// Whole numbers one after the other, both ends among them.
struct NumberSpan {
    std::int64_t first = 0;
    std::int64_t last = 0;
    friend bool operator==(const NumberSpan&, const NumberSpan&) = default;
};

/// Numbers as spans, for a line of text.
struct NumberSpans {
    /// More spans than these no reader goes through: a job of thousands of ranks has lists of hundreds.
    static constexpr std::size_t kMost = 12;
    static constexpr std::size_t kFirstOfMany = 3;

    std::vector<NumberSpan> spans;  ///< in ascending order, with a number between any two that is in neither
    std::size_t numbers = 0;        ///< that are in them

    /// Whether only named() and the last are shown.
    [[nodiscard]] bool many() const { return spans.size() > kMost; }
    /// The first of many, else all.
    [[nodiscard]] std::span<const NumberSpan> named() const {
        return std::span(spans).first(many() ? kFirstOfMany : spans.size());
    }
};

/// `numbers` in any order, each once. O(n log n).
[[nodiscard]] NumberSpans spansOf(std::vector<std::int64_t> numbers);

}  // namespace rankscope
