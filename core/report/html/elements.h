// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/tables/data_table.h"
#include "core/report/tables/table.h"

// The elements of the HTML report. Names in traces may contain anything: all text goes through htmlText().
namespace rankscope::report {

/// `text` as HTML text or as the value of a quoted attribute: markup escaped, control characters and invalid UTF-8
/// replaced.
[[nodiscard]] std::string htmlText(std::string_view text);

/// `<name attributes>content</name>`. Attributes and content are HTML already.
[[nodiscard]] std::string element(std::string_view name, std::string_view attributes, std::string_view content);
/// ` name="value"`, the value escaped.
[[nodiscard]] std::string attribute(std::string_view name, std::string_view value);
/// A paragraph of plain text.
[[nodiscard]] std::string paragraph(std::string_view text, std::string_view css_class = {});
/// A list of plain texts; nothing if there are none.
[[nodiscard]] std::string bulletList(const std::vector<std::string>& texts);
/// A cell of a linked row.
struct RowCell {
    std::string_view css_class;
    std::string html;
};
/// A row that is a link.
struct LinkedRow {
    std::string target;     ///< the id of the link's target in the page
    std::string_view tone;  ///< a class of report.css: "high", "good"; empty for none
    std::vector<RowCell> cells;
};
/// Linked rows below their headings; `css_class` sets the widths of the cells. Empty if there are no rows.
[[nodiscard]] std::string linkedRows(std::string_view css_class, const std::vector<RowCell>& heads,
                                     const std::vector<LinkedRow>& rows);
/// A part of the page that can be folded. `summary` and `content` are HTML.
[[nodiscard]] std::string folded(std::string_view summary, std::string_view content, bool open);

/// More rows in a table make a page slow to open, and nobody reads them there.
inline constexpr std::size_t kMostPageRows = 5'000;

/// These columns of a table of facts, for a page. If a rank's number is not known, its position among the ranks is
/// added, so that each row still names its rank.
[[nodiscard]] DataTable forPage(const DataTable& table, const std::vector<std::string_view>& keys);
/// The same with further columns whose keys begin with `prefix`, except columns that are empty in all rows.
[[nodiscard]] DataTable forPage(const DataTable& table, std::vector<std::string_view> keys, std::string_view prefix);

/// A table for people that also has the exact values: data-table is its name, data-key a column's key, and data-v the
/// number in a cell. `caption` names it for screen readers. If it has more than `most` rows, the first are shown, with
/// a note that says so.
[[nodiscard]] std::string htmlTable(const DataTable& table, std::string_view caption, std::size_t most = kMostPageRows);

/// A table that scrolls if it is wider than the page. `name` is the name of its data; `caption` names it for screen
/// readers. `attributes`, the cells of `head` and the rows of `body` are HTML already.
[[nodiscard]] std::string scrolledTable(std::string_view name, std::string_view caption, const std::string& attributes,
                                        std::string_view head, const std::string& body);

/// A table of texts, as in the other reports, converted for the page.
[[nodiscard]] DataTable asData(const Table& texts, const std::string& name);

}  // namespace rankscope::report
