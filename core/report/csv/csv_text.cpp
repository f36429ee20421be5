// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/csv/csv_text.h"

#include <algorithm>
#include <string_view>

#include "core/base/utf8.h"

namespace rankscope::report {
namespace {

constexpr std::string_view kEndOfLine = "\r\n";

/// Texts that spreadsheets would run as a formula get an apostrophe in front, which they do not display.
std::string defused(std::string text) {
    constexpr std::string_view kStartsFormula = "=+-@\t\r";
    return text.empty() || kStartsFormula.find(text.front()) == std::string_view::npos ? text : "'" + text;
}

/// `text` without control characters that would reach the terminal of somebody who prints the file. Line breaks and
/// tabs belong to CSV; the JSON has all of them.
std::string withoutControls(std::string_view text) {
    constexpr std::string_view kOfCsv = "\r\n\t";
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(kOfCsv), text.size());
        out += printable(text.substr(0, end));
        out += text.substr(end, 1);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string out = "\"";
    for (const char c : text) {
        out += c;
        if (c == '"') {
            out += c;
        }
    }
    return out + "\"";
}

std::string fieldOf(const Cell& cell) {
    const auto* const text = std::get_if<std::string>(&cell);
    return text != nullptr ? csvField(*text) : quoted(cellValue(cell));
}

}  // namespace

std::string csvField(std::string_view text) {
    return quoted(defused(withoutControls(text)));
}

std::string csvText(const DataTable& table) {
    std::string out;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        out += (column == 0 ? "" : ",") + quoted(table.columns[column].key);
    }
    out += kEndOfLine;
    for (const auto& row : table.rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            out += (column == 0 ? "" : ",") + fieldOf(row[column]);
        }
        out += kEndOfLine;
    }
    return out;
}

}  // namespace rankscope::report
