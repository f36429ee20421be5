// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text/screen.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <sstream>
#include <utility>

#include "core/base/utf8.h"
#include "core/report/tables/table.h"

namespace rankscope::report {
namespace {

constexpr std::string_view kCut = "…";
constexpr std::size_t kBetween = 2;  // between columns
constexpr std::size_t kBefore = 1;   // before the first one

/// The first `count` characters.
std::string_view firstOf(std::string_view utf8, std::size_t count) {
    std::size_t at = 0;
    while (at < utf8.size() && count > 0) {
        ++at;
        while (at < utf8.size() && (static_cast<unsigned char>(utf8[at]) & 0xC0U) == 0x80U) {
            ++at;
        }
        --count;
    }
    return utf8.substr(0, at);
}

/// The last `count` characters.
std::string_view lastOf(std::string_view utf8, std::size_t count) {
    const std::size_t width = displayWidth(utf8);
    return utf8.substr(firstOf(utf8, width - std::min(width, count)).size());
}

std::string shortenedAtTheEnd(std::string_view text, std::size_t width) {
    if (displayWidth(text) <= width) {
        return std::string(text);
    }
    std::string out(firstOf(text, width > 0 ? width - 1 : 0));
    out.erase(out.find_last_not_of(" ,;.:") + 1);
    return out.append(width > 0 ? kCut : "");
}

std::string paddedTo(const std::string& text, std::size_t width, bool is_number) {
    const std::string space(width - std::min(width, displayWidth(text)), ' ');
    return is_number ? space + text : text + space;
}

/// The words of a text that fit into `width`, and the rest.
std::pair<std::string, std::string> brokenAt(const std::string& text, std::size_t width) {
    const std::string lines = wrapped(text, 0, std::max<std::size_t>(width, 1));
    const std::size_t end = lines.find('\n');
    if (end == std::string::npos) {
        return {lines, {}};
    }
    std::string rest = lines.substr(end + 1);
    std::ranges::replace(rest, '\n', ' ');
    return {lines.substr(0, end), rest};
}

/// The widths of the columns: the widest of those that may shrink become narrower until all fit. If that is not enough,
/// the last columns are dropped: a number is never cut.
std::vector<std::size_t> widthsOf(const ScreenTable& table, std::size_t room) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        std::size_t width = displayWidth(table.columns[i].title);
        for (const auto& row : table.rows) {
            width = std::max(width, displayWidth(row[i].text));
        }
        widths.push_back(width);
    }
    const auto whole = [&] {
        return std::accumulate(widths.begin(), widths.end(), kBefore + kBetween * (widths.size() - 1));
    };
    while (whole() > room) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::size_t least = table.columns[i].least;
            if (least > 0 && widths[i] > least && (widest == widths.size() || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        if (widest < widths.size()) {
            --widths[widest];
        } else if (widths.size() > 1) {
            widths.pop_back();
        } else {
            break;
        }
    }
    return widths;
}

/// Without the columns that have no text in any row.
ScreenTable withoutEmpty(ScreenTable table) {
    for (std::size_t column = table.columns.size(); column-- > 0;) {
        if (std::ranges::all_of(table.rows, [&](const auto& row) { return row[column].text.empty(); })) {
            table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(column));
            for (auto& row : table.rows) {
                row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
            }
        }
    }
    return table;
}

}  // namespace

std::string shortenedInTheMiddle(std::string_view text, std::size_t width) {
    const std::size_t whole = displayWidth(text);
    if (whole <= width || width < 3) {
        return shortenedAtTheEnd(text, width);
    }
    const std::size_t behind = (width - 1) / 2;
    std::string out(firstOf(text, width - 1 - behind));
    return out.append(kCut).append(lastOf(text, behind));
}

std::string Screen::inked(const std::string& text, Ink ink) const {
    if (!style_.colour || ink == Ink::Plain || text.empty()) {
        return text;
    }
    static constexpr std::array<std::string_view, 7> kCodes = {"", "1", "2", "31", "33", "36", "32"};
    return "\x1b[" + std::string(kCodes[static_cast<std::size_t>(ink)]) + "m" + text + "\x1b[0m";
}

void Screen::line(const std::vector<InkText>& texts) {
    std::size_t room = style_.width;
    std::string out;
    for (const InkText& one : texts) {
        const std::string shown = shortenedAtTheEnd(printable(one.text), room);
        room -= std::min(room, displayWidth(shown));
        out += inked(shown, one.ink);
    }
    text_ += out.erase(out.find_last_not_of(' ') + 1) + "\n";
}

void Screen::paragraph(const InkText& head, std::string_view text, std::size_t most) {
    const std::size_t indent = displayWidth(head.text);
    std::istringstream broken(wrapped(text, indent, style_.width));
    std::vector<std::string> lines;
    for (std::string line; std::getline(broken, line);) {
        lines.push_back(line.substr(lines.empty() ? 0 : std::min(indent, line.size())));
    }
    const std::size_t room = style_.width - std::min(style_.width, indent);
    if (lines.size() > most) {
        lines.resize(most);
        // There is more text: the last line ends with an ellipsis, whatever its length.
        lines.back() = shortenedAtTheEnd(lines.back() + std::string(room, ' '), room);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text_ += i == 0 ? inked(head.text, head.ink) : std::string(indent, ' ');
        text_ += shortenedInTheMiddle(lines[i], room) + "\n";
    }
}

void Screen::table(const ScreenTable& all) {
    const ScreenTable table = withoutEmpty(all);
    const std::vector<std::size_t> widths = widthsOf(table, style_.width);
    const auto add = [&](const std::vector<InkText>& cells) {
        std::string out;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string cell = shortenedInTheMiddle(cells[i].text, widths[i]);
            out += std::string(i == 0 ? kBefore : kBetween, ' ') +
                   inked(paddedTo(cell, widths[i], table.columns[i].is_number), cells[i].ink);
        }
        text_ += out.erase(out.find_last_not_of(' ') + 1) + "\n";
    };
    std::vector<InkText> titles;
    for (const ScreenTable::Column& column : table.columns) {
        titles.push_back({column.title, Ink::Dim});
    }
    add(titles);
    for (const auto& row : table.rows) {
        std::vector<InkText> first;
        std::vector<InkText> second;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string text = printable(row[i].text);
            const auto [head, rest] =
                table.columns[i].wraps ? brokenAt(text, widths[i]) : std::pair(text, std::string());
            first.push_back({head, row[i].ink});
            second.push_back({rest, row[i].ink});
        }
        add(first);
        if (std::ranges::any_of(second, [](const InkText& cell) { return !cell.text.empty(); })) {
            add(second);
        }
    }
}

std::size_t Screen::height() const {
    return static_cast<std::size_t>(std::ranges::count(text_, '\n'));
}

}  // namespace rankscope::report
