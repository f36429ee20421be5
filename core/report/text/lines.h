// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/model/cut_table.h"

namespace rankscope::report {

/// How wide the text reports are, and how far what stands below a title is moved in, in characters.
inline constexpr std::size_t kLineWidth = 110;
inline constexpr std::size_t kIndent = 2;

/// `text` in lines of kLineWidth, each moved in; ends with a newline.
[[nodiscard]] std::string line(std::string_view text, std::size_t indent = kIndent);
/// One line() for each of `texts`.
[[nodiscard]] std::string lines(const std::vector<std::string>& texts);
/// The rows that there is room for, and a line that says how many more there are.
[[nodiscard]] std::string tableLines(const ShownRows& cut);

}  // namespace rankscope::report
