// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

// How numbers are written for people: the same in the window, on the command line and in reports. UTF-8, with a plain
// space before the unit and a point as decimal sign, in any locale.

/// A length of time in a suitable unit: "850 ns", "4.12 µs", "412 µs", "58.9 ms", "176.3 ms", "1.24 s". Rounded half up
/// on integers. Negative lengths carry a "-".
[[nodiscard]] std::string formatDuration(DurationNs ns);

/// Bytes in decimal units (1 MB = 1e6 bytes, as in bandwidths): "512 B", "25.6 MB", "1.50 GB".
[[nodiscard]] std::string formatBytes(std::uint64_t bytes);

/// A whole number with thousands separators: "1,234,567".
[[nodiscard]] std::string formatCount(std::uint64_t count);

/// A number with this many decimals, for people and programs: "1.15".
[[nodiscard]] std::string formatDecimal(double value, int decimals);

/// A share (0.284 is 28.4 %): one decimal below ten per cent ("2.8 %"), none above ("28 %").
[[nodiscard]] std::string formatPercent(double share);

/// Bytes per second, with GB/s = 1e9: "12.4 GB/s", "850 MB/s".
[[nodiscard]] std::string formatBandwidth(double bytes_per_second);

/// How the numbers of a list are joined.
enum class ListStyle : std::uint8_t {
    Commas,    ///< "0, 1, 3 to 5", as in tables and headings
    Sentence,  ///< "0 and 1, 3 to 5 and 9", as in sentences
};

/// Numbers as text, ascending, each once, consecutive ones as a range. If there are too many ranges to read
/// (NumberSpans): the first and the last, and how many numbers there are. `numbers` in any order. Empty for none. O(n
/// log n).
[[nodiscard]] std::string formatNumberList(std::vector<std::int64_t> numbers, ListStyle style = ListStyle::Commas);

/// "step 5" or "steps 5 to 8": `one`, with an "s" if there are several `numbers`, and the list.
[[nodiscard]] std::string formatNumbered(std::string_view one, const std::vector<std::int64_t>& numbers,
                                         ListStyle style = ListStyle::Commas);

/// How many of something: "1 rank", "1,024 ranks".
[[nodiscard]] std::string formatCounted(std::uint64_t count, std::string_view one);

}  // namespace rankscope
