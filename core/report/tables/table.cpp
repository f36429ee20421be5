// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/table.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace rankscope::report {
namespace {

/// Whether GitHub makes a link of bare text around the sign at `at`: "http://", "www.", "mailto:", "name@host".
bool makesLink(std::string_view text, std::size_t at) {
    const auto before = [&](std::string_view word) {
        return at >= word.size() &&
               std::ranges::equal(text.substr(at - word.size(), word.size()), word, {},
                                  [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    };
    switch (text[at]) {
        case ':': return text.substr(at + 1).starts_with("//") || before("mailto") || before("xmpp");
        case '.': return before("www");
        case '@': return true;
        default: return false;
    }
}

std::string padded(const std::string& cell, std::size_t width, bool left) {
    const std::string space(width - std::min(width, displayWidth(cell)), ' ');
    return left ? cell + space : space + cell;
}

}  // namespace

std::size_t displayWidth(std::string_view utf8) {
    // Continuation bytes are 10xxxxxx.
    const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    return static_cast<std::size_t>(std::ranges::count_if(utf8, starts));
}

std::string tableText(const Table& table, std::size_t indent) {
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < table.header.size(); ++column) {
        std::size_t width = displayWidth(table.header[column]);
        for (const auto& row : table.rows) {
            width = std::max(width, displayWidth(row[column]));
        }
        widths.push_back(width);
    }
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string out(indent, ' ');
        for (std::size_t column = 0; column < cells.size(); ++column) {
            out += (column == 0 ? "" : "  ") + padded(cells[column], widths[column], column < table.left_columns);
        }
        out.erase(out.find_last_not_of(' ') + 1);
        return out + "\n";
    };
    std::string out = line(table.header);
    for (const auto& row : table.rows) {
        out += line(row);
    }
    return out;
}

std::string tableMarkdown(const Table& table) {
    const auto line = [](const std::vector<std::string>& cells) {
        std::string out = "|";
        for (const std::string& cell : cells) {
            out += " " + markdownText(cell) + " |";
        }
        return out + "\n";
    };
    std::string out = line(table.header) + "|";
    for (std::size_t column = 0; column < table.header.size(); ++column) {
        out += column < table.left_columns ? " --- |" : " ---: |";
    }
    out += "\n";
    for (const auto& row : table.rows) {
        out += line(row);
    }
    return out;
}

std::string shortName(std::string_view name) {
    static constexpr std::size_t kLongest = 60;
    std::size_t end = std::min(kLongest, name.size());
    // Not in the middle of a character of UTF-8.
    while (end < name.size() && end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return printable(name.substr(0, end)) + (end < name.size() ? "..." : "");
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
    const std::string clean = printable(text);
    std::string out;
    std::size_t column = indent;
    std::size_t at = 0;
    while (at < clean.size()) {
        const std::size_t end = std::min(clean.find(' ', at), clean.size());
        const std::string word = clean.substr(at, end - at);
        at = end + 1;
        if (word.empty()) {
            continue;
        }
        const std::size_t length = displayWidth(word);
        if (!out.empty() && column + 1 + length > width) {
            out += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (!out.empty()) {
            out += ' ';
            ++column;
        }
        out += word;
        column += length;
    }
    return out;
}

std::string markdownText(std::string_view text) {
    static constexpr std::string_view kMarkup = "\\`*_{}[]<>#|~";
    const std::string clean = printable(text);
    std::string out;
    for (std::size_t i = 0; i < clean.size(); ++i) {
        if (kMarkup.find(clean[i]) != std::string_view::npos || makesLink(clean, i)) {
            out += '\\';
        }
        out += clean[i];
    }
    return out;
}

std::string markdownBullets(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
        out += "- " + markdownText(text) + "\n";
    }
    return out.empty() ? out : out + "\n";
}

std::string markdownCode(std::string_view text) {
    // A code span is closed by as many backticks as opened it: one more than the longest run of backticks in the text.
    std::size_t longest = 0;
    std::size_t current = 0;
    for (const char c : text) {
        current = c == '`' ? current + 1 : 0;
        longest = std::max(longest, current);
    }
    const std::string fence(longest + 1, '`');
    const std::string space = longest > 0 ? " " : "";
    return fence + space + printable(text) + space + fence;
}

}  // namespace rankscope::report
