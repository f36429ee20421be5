// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown/printer.h"

#include <fmt/format.h>

#include "core/report/html/elements.h"
#include "core/report/tables/table.h"

namespace rankscope::report {
namespace {

std::string withNotes(const MarkedLine& line) {
    std::string out = line.text;
    for (const std::string& note : line.notes) {
        out += " " + note;
    }
    return out;
}

std::string numberedSteps(const std::vector<MarkedLine>& steps) {
    std::string out;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const MarkedLine& step = steps[i];
        out += fmt::format("{}. **{}** ({}): {}{}{}\n", i + 1, markdownText(step.title), step.status,
                           markdownText(withNotes(step)), step.command.empty() ? "" : " ",
                           step.command.empty() ? "" : markdownCode(step.command));
    }
    return out;
}

std::string markedRows(const Marks& marks) {
    const bool asks = marks.kind == Marks::Kind::Questions;
    Table table;
    table.header = {"", asks ? "question" : "what", asks ? "answer" : "says"};
    table.left_columns = 3;
    for (const MarkedLine& line : marks.lines) {
        const char* const sign = !asks && line.mark == "look" ? "▲ " : "";
        table.rows.push_back({sign + std::string(line.status), line.title, withNotes(line)});
    }
    return tableMarkdown(table);
}

/// Markdown of each kind of block, followed by an empty line.
struct MarkdownPrinter {
    std::string operator()(const Subtitle& title) const { return paragraphMarkdown(title.text + ":"); }
    std::string operator()(const Points& points) const {
        return points.texts.empty() && points.keeps_line ? "\n" : markdownBullets(points.texts);
    }
    std::string operator()(const Note& note) const { return paragraphMarkdown(note.text); }
    std::string operator()(const Rows& rows) const {
        const ShownRows cut = cutTo(rows.table, rows.limit.most, rows.limit.one, rows.limit.where);
        return tableMarkdown(cut.table) + "\n" + (cut.rest.empty() ? "" : paragraphMarkdown(cut.rest));
    }
    std::string operator()(const Marks& marks) const {
        return (marks.kind == Marks::Kind::Steps ? numberedSteps(marks.lines) : markedRows(marks)) + "\n";
    }
    std::string operator()(const Untold& untold) const {
        std::string out;
        for (const CannotTellTogether& item : untold.reasons) {
            std::string names;
            for (const FindingId id : item.ids) {
                names += (names.empty() ? "" : ", ") + markdownCode(findingName(id));
            }
            out += "- " + names + ": " + markdownText(item.reason + " " + item.record) + "\n";
        }
        return out + "\n";
    }
};

}  // namespace

std::string foldedMarkdown(std::string_view summary, std::string_view markdown) {
    return "<details>\n<summary>" + htmlText(summary) + "</summary>\n\n" + std::string(markdown) + "</details>\n\n";
}

std::string paragraphMarkdown(std::string_view text) {
    return markdownText(text) + "\n\n";
}

std::string markdownOf(const std::vector<Block>& blocks) {
    std::string out;
    for (const Block& block : blocks) {
        out += std::visit(MarkdownPrinter(), block);
    }
    return out;
}

std::string foldedMarkdown(const Part& part) {
    return part.blocks.empty() ? std::string() : foldedMarkdown(part.title, markdownOf(part.blocks));
}

}  // namespace rankscope::report
