// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/format.h"
#include "core/base/utf8.h"

namespace rankscope::report {

std::string htmlText(std::string_view text) {
    std::string out;
    for (const char c : printable(text)) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string element(std::string_view name, std::string_view attributes, std::string_view content) {
    std::string out = "<" + std::string(name);
    out.append(attributes).append(">").append(content).append("</").append(name).append(">");
    return out;
}

std::string attribute(std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=\"" + htmlText(value) + "\"";
}

std::string paragraph(std::string_view text, std::string_view css_class) {
    return element("p", css_class.empty() ? "" : attribute("class", css_class), htmlText(text)) + "\n";
}

std::string bulletList(const std::vector<std::string>& texts) {
    std::string items;
    for (const std::string& text : texts) {
        items += element("li", "", htmlText(text)) + "\n";
    }
    return items.empty() ? items : element("ul", "", "\n" + items) + "\n";
}

std::string linkedRows(std::string_view css_class, const std::vector<RowCell>& heads,
                       const std::vector<LinkedRow>& rows) {
    if (rows.empty()) {
        return {};
    }
    const auto spans = [](const std::vector<RowCell>& cells) {
        std::string out;
        for (const RowCell& cell : cells) {
            out += element("span", attribute("class", cell.css_class), cell.html);
        }
        return out;
    };
    std::string out = element("div", " class=\"row heads\"", spans(heads)) + "\n";
    for (const LinkedRow& row : rows) {
        const std::string tone = row.tone.empty() ? std::string() : " " + std::string(row.tone);
        out += element("a", attribute("class", "row" + tone) + attribute("href", "#" + row.target), spans(row.cells)) +
               "\n";
    }
    return element("div", attribute("class", css_class), "\n" + out) + "\n";
}

std::string folded(std::string_view summary, std::string_view content, bool open) {
    return element("details", open ? " open" : "",
                   element("summary", "", summary) + "\n<div class=\"inside\">" + std::string(content) + "</div>") +
           "\n";
}

namespace {

/// Shorter tables need no sorting.
constexpr std::size_t kWorthSorting = 4;

/// Empty and zero cells are faint: in most tables they are the majority. A number that names something is never faint.
bool isFaint(const Cell& cell, Unit unit) {
    return cell == Cell() || (unit != Unit::Number && cell == Cell(std::int64_t{0}));
}

std::string cssOf(const Cell& cell, Unit unit) {
    std::string css = isNumeric(unit) ? "n" : "";
    if (isFaint(cell, unit)) {
        css += css.empty() ? "faint" : " faint";
    }
    return css.empty() ? css : attribute("class", css);
}

std::string cellHtml(const Cell& cell, Unit unit) {
    const std::string text = htmlText(cellText(cell, unit));
    const std::string attributes = cssOf(cell, unit);
    if (cell == Cell()) {
        return element("td", attributes, text);
    }
    switch (unit) {
        case Unit::Name: return element("td", attributes, element("code", "", text));
        case Unit::Word: return element("td", attributes, element("code", " class=\"word\"", text));
        case Unit::Text:
        case Unit::Flag: return element("td", attributes, text);
        default: return element("td", attributes + attribute("data-v", cellValue(cell)), text);
    }
}

/// Whether the table has a rank without a known number.
bool hasNamelessRank(const DataTable& table) {
    const auto at = std::ranges::find(table.columns, "rank", &Column::key);
    if (at == table.columns.end()) {
        return false;
    }
    const auto column = static_cast<std::size_t>(at - table.columns.begin());
    return std::ranges::any_of(table.rows, [column](const auto& row) { return row[column] == Cell(); });
}

}  // namespace

DataTable forPage(const DataTable& table, const std::vector<std::string_view>& keys) {
    std::vector<std::string_view> shown = keys;
    if (hasNamelessRank(table)) {
        shown.insert(std::ranges::find(shown, "rank"), "id");
    }
    return table.only(shown);
}

DataTable forPage(const DataTable& table, std::vector<std::string_view> keys, std::string_view prefix) {
    const DataTable told = table.withoutEmpty(prefix);
    for (const Column& column : told.columns) {
        if (column.key.starts_with(prefix)) {
            keys.push_back(column.key);
        }
    }
    return forPage(told, keys);
}

std::string scrolledTable(std::string_view name, std::string_view caption, const std::string& attributes,
                          std::string_view head, const std::string& body) {
    const std::string content = element("caption", "", htmlText(caption)) +
                                element("thead", "", element("tr", "", head)) + "\n" +
                                element("tbody", "", "\n" + body);
    return element("div", R"( class="scroll" tabindex="0" role="region")" + attribute("aria-label", caption),
                   element("table", attributes + attribute("data-table", name), content)) +
           "\n";
}

std::string htmlTable(const DataTable& table, std::string_view caption, std::size_t most) {
    std::string head;
    for (const Column& column : table.columns) {
        head += element("th",
                        std::string(" scope=\"col\"") + (isNumeric(column.unit) ? " class=\"n\"" : "") +
                            attribute("data-key", column.key),
                        htmlText(column.title));
    }
    std::string body;
    const std::size_t shown = std::min(table.rows.size(), most);
    for (std::size_t row = 0; row < shown; ++row) {
        std::string cells;
        for (std::size_t column = 0; column < table.rows[row].size(); ++column) {
            cells += cellHtml(table.rows[row][column], table.unitOf(row, column));
        }
        body += element("tr", "", cells) + "\n";
    }
    return scrolledTable(table.name, caption, table.rows.size() >= kWorthSorting ? " class=\"sortable\"" : "", head,
                         body) +
           (shown < table.rows.size() ? paragraph(fmt::format("The first {} of {} rows; all are in the CSV report.",
                                                              formatCount(shown), formatCount(table.rows.size())),
                                                  "note")
                                      : "");
}

DataTable asData(const Table& texts, const std::string& name) {
    DataTable table{name, {}, {}};
    for (const std::string& title : texts.header) {
        table.columns.push_back({title, title, Unit::Text});
    }
    for (const auto& row : texts.rows) {
        table.rows.emplace_back(row.begin(), row.end());
    }
    return table;
}

}  // namespace rankscope::report
