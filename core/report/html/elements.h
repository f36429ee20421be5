// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// The alphabet of the HTML report. Names in traces may hold anything: nothing reaches the document but through
// htmlText.
namespace rankscope::report {

/// `text` as HTML text or as the value of a quoted attribute: markup escaped, control characters and bytes that are no
/// UTF-8 replaced.
[[nodiscard]] std::string htmlText(std::string_view text);

/// `<name attributes>content</name>`. Attributes and content are HTML already.
[[nodiscard]] std::string element(std::string_view name, std::string_view attributes, std::string_view content);
/// ` name="value"`, the value escaped.
[[nodiscard]] std::string attribute(std::string_view name, std::string_view value);
/// A paragraph of plain text.
[[nodiscard]] std::string paragraph(std::string_view text, std::string_view css_class = {});
/// A list of plain texts; nothing where there are none.
[[nodiscard]] std::string bulletList(const std::vector<std::string>& texts);
/// A part of the page that can be folded away. `summary` and `content` are HTML.
[[nodiscard]] std::string folded(std::string_view summary, std::string_view content, bool open);

}  // namespace rankscope::report
