// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/report/blocks/block.h"

// Lays out blocks as Markdown. Private to core/report.
namespace rankscope::report {

/// A part that the reader unfolds. GitHub parses Markdown in it only after an empty line; `summary` is plain text.
[[nodiscard]] std::string foldedMarkdown(std::string_view summary, std::string_view markdown);
/// A paragraph of plain text.
[[nodiscard]] std::string paragraphMarkdown(std::string_view text);
/// The blocks, without a title and not folded.
[[nodiscard]] std::string markdownOf(const std::vector<Block>& blocks);
/// A folded part; empty if it has no blocks.
[[nodiscard]] std::string foldedMarkdown(const Part& part);

}  // namespace rankscope::report
