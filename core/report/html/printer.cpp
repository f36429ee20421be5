// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/printer.h"

#include <algorithm>

#include "core/report/html/elements.h"

namespace rankscope::report {
namespace {

/// The status with its mark, by shape and colour; the subject of the line; its sentence, notes and command.
std::string markedRow(const MarkedLine& line) {
    std::string text = htmlText(line.text);
    for (const std::string& note : line.notes) {
        text += element("div", " class=\"note\"", htmlText(note));
    }
    if (!line.command.empty()) {
        text += element("div", "", element("code", "", htmlText(line.command)));
    }
    const std::string mark =
        element("span", attribute("class", "mark " + std::string(line.mark)), htmlText(line.status));
    return element("tr", "",
                   element("td", " class=\"marked\"", mark) + element("td", " class=\"what\"", htmlText(line.title)) +
                       element("td", "", text)) +
           "\n";
}

/// HTML of each kind of block.
struct HtmlPrinter {
    std::string operator()(const Subtitle& title) const { return element("h3", "", htmlText(title.text)) + "\n"; }
    std::string operator()(const Points& points) const { return bulletList(points.texts); }
    std::string operator()(const Note& note) const { return paragraph(note.text, "note"); }
    std::string operator()(const Rows& rows) const {
        return htmlTable(asData(rows.table, rows.html.name), rows.html.caption,
                         std::min(rows.html.most, kMostPageRows));
    }
    std::string operator()(const Marks& marks) const {
        std::string head;
        for (const auto& [key, title] :
             {std::pair("status", ""), std::pair("what", "what"), std::pair("says", "says")}) {
            head += element("th", " scope=\"col\"" + attribute("data-key", key), htmlText(title));
        }
        std::string rows;
        for (const MarkedLine& line : marks.lines) {
            rows += markedRow(line);
        }
        return scrolledTable(marks.html.name, marks.html.caption, " class=\"marks\"", head, rows);
    }
    std::string operator()(const Untold& untold) const {
        DataTable table{"cannot_tell",
                        {{"finding_id", "finding", Unit::Word},
                         {"reason", "why", Unit::Text},
                         {"record", "what to record", Unit::Text}},
                        {}};
        for (const CannotTellTogether& item : untold.reasons) {
            table.rows.push_back({item.names(), textCell(item.reason), textCell(item.record)});
        }
        return htmlTable(table, "What these traces cannot show");
    }
};

}  // namespace

std::string htmlOf(const std::vector<Block>& blocks) {
    std::string out;
    for (const Block& block : blocks) {
        out += std::visit(HtmlPrinter(), block);
    }
    return out;
}

Section sectionOf(const std::string& key, const Part& part) {
    return {key, part.title, htmlOf(part.blocks)};
}

std::string sectionHtml(const Section& section, const std::string& prefix, bool is_open) {
    if (section.content.empty()) {
        return {};
    }
    return element("section", attribute("id", prefix + section.key),
                   "\n" + folded(element("h2", "", htmlText(section.title)), "\n" + section.content, is_open)) +
           "\n";
}

}  // namespace rankscope::report
