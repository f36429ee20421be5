// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rankscope::report {

/// A table of texts, the same for the terminal and for Markdown. The first `left_columns` are aligned left, the others,
/// numbers, right. Every row has as many cells as the header.
struct Table {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    std::size_t left_columns = 1;
};

/// Aligned columns, two spaces apart, each line indented. Ends with a newline.
[[nodiscard]] std::string tableText(const Table& table, std::size_t indent);
/// A GitHub-flavoured Markdown table; cells are escaped. Ends with a newline.
[[nodiscard]] std::string tableMarkdown(const Table& table);

/// The width of `utf8` in characters of a terminal; one per code point.
[[nodiscard]] std::size_t displayWidth(std::string_view utf8);
/// The start of a name, short enough for a terminal: names of templates have hundreds of characters, and the JSON has
/// them in full.
[[nodiscard]] std::string shortName(std::string_view name);
/// `text` broken at spaces into lines of up to `width` characters; a longer word gets its own line. Lines after the
/// first start with `indent` spaces; the first is expected to follow something that wide.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);
/// `text` with every character escaped that Markdown or HTML would read as markup.
[[nodiscard]] std::string markdownText(std::string_view text);
/// A list with an item for each of `texts`, and an empty line; empty for none.
[[nodiscard]] std::string markdownBullets(const std::vector<std::string>& texts);
/// `text` as an inline code span.
[[nodiscard]] std::string markdownCode(std::string_view text);

}  // namespace rankscope::report
