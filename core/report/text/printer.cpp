// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text/printer.h"

#include <algorithm>

#include "core/report/tables/table.h"

namespace rankscope::report {
namespace {

/// Columns of a marked line: its status, and its subject.
constexpr std::size_t kStatusWidth = 13;
constexpr std::size_t kTitleWidth = 19;

std::string filledUp(std::string_view text, std::size_t width) {
    return std::string(text) + std::string(width - std::min(width, displayWidth(text)), ' ');
}

/// The title is a column; a question, too long for a column, is on the first line.
std::string markedText(const MarkedLine& line, bool is_question) {
    const std::string head = std::string(kIndent, ' ') + filledUp(line.status, kStatusWidth);
    const std::string inner(kIndent + kStatusWidth + (is_question ? 0 : kTitleWidth), ' ');
    std::string out = is_question ? behind(head, line.title) + behind(inner, line.text)
                                  : behind(head + filledUp(line.title, kTitleWidth), line.text);
    for (const std::string& note : line.notes) {
        out += behind(inner, note);
    }
    return out + (line.command.empty() ? "" : inner + line.command + "\n");
}

/// Text of each kind of block.
struct TextPrinter {
    std::string operator()(const Subtitle& title) const { return section(title.text); }
    std::string operator()(const Points& points) const { return lines(points.texts); }
    std::string operator()(const Note& note) const { return line(note.text); }
    std::string operator()(const Rows& rows) const {
        const ShownRows cut = cutTo(rows.table, rows.limit.most, rows.limit.one, rows.limit.where);
        return tableText(cut.table, kIndent) + (cut.rest.empty() ? "" : line(cut.rest));
    }
    std::string operator()(const Marks& marks) const {
        std::string out;
        for (const MarkedLine& one : marks.lines) {
            out += markedText(one, marks.kind == Marks::Kind::Questions);
        }
        return out;
    }
    std::string operator()(const Untold& untold) const {
        std::string out;
        for (const CannotTellTogether& item : untold.reasons) {
            out += line(item.names() + ": " + item.reason + " " + item.record);
        }
        return out;
    }
};

}  // namespace

std::string line(std::string_view text, std::size_t indent) {
    return behind(std::string(indent, ' '), text);
}

std::string lines(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
        out += line(text);
    }
    return out;
}

std::string behind(const std::string& head, std::string_view text) {
    return head + wrapped(text, displayWidth(head), kLineWidth) + "\n";
}

std::string section(std::string_view title) {
    return "\n" + std::string(title) + "\n";
}

std::string textOf(const std::vector<Block>& blocks) {
    std::string out;
    for (const Block& block : blocks) {
        out += std::visit(TextPrinter(), block);
    }
    return out;
}

std::string textOf(const Part& part) {
    return part.blocks.empty() ? std::string() : section(part.title) + textOf(part.blocks);
}

std::string textOf(const std::vector<Part>& parts) {
    std::string out;
    for (const Part& part : parts) {
        out += textOf(part);
    }
    return out;
}

}  // namespace rankscope::report
