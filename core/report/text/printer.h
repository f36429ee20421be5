// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/blocks/block.h"

// Lays out blocks for a terminal. Private to core/report.
namespace rankscope::report {

/// The width of the text reports, and the indent below a title, in characters.
inline constexpr std::size_t kLineWidth = 110;
inline constexpr std::size_t kIndent = 2;

/// `text` in lines of kLineWidth, each indented; ends with a newline.
[[nodiscard]] std::string line(std::string_view text, std::size_t indent = kIndent);
/// One line() for each of `texts`.
[[nodiscard]] std::string lines(const std::vector<std::string>& texts);
/// `head`, followed by a text that is broken into aligned lines of kLineWidth; ends with a newline.
[[nodiscard]] std::string behind(const std::string& head, std::string_view text);
/// An empty line, and the title.
[[nodiscard]] std::string section(std::string_view title);
/// The blocks, without a title.
[[nodiscard]] std::string textOf(const std::vector<Block>& blocks);
/// The section of a part; empty if it has no blocks.
[[nodiscard]] std::string textOf(const Part& part);
/// The sections of all parts.
[[nodiscard]] std::string textOf(const std::vector<Part>& parts);

}  // namespace rankscope::report
