// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/svg.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/format.h"
#include "core/report/html/elements.h"

namespace rankscope::report {

std::string coordinate(double value) {
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 2).ptr;
    std::string out(text.data(), end);
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.') {
        out.pop_back();
    }
    return out == "-0" ? "0" : out;
}

std::string svgRect(double x, double y, double width, double height, std::string_view attributes) {
    return "<rect x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" width=\"" + coordinate(width) +
           "\" height=\"" + coordinate(height) + "\"" + std::string(attributes) + "/>";
}

std::string svgLine(double x1, double y1, double x2, double y2, std::string_view css_class) {
    return "<line x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\"" + coordinate(x2) + "\" y2=\"" +
           coordinate(y2) + "\"" + attribute("class", css_class) + "/>";
}

std::string svgText(double x, double y, std::string_view anchor, std::string_view text, std::string_view css_class) {
    return element("text",
                   " x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\"" + attribute("text-anchor", anchor) +
                       (css_class.empty() ? "" : attribute("class", css_class)),
                   htmlText(text));
}

std::string svgTip(std::string_view text) {
    return element("title", "", htmlText(text));
}

std::string svgDrawing(double width, double height, std::string_view title, std::string_view content) {
    return element("svg",
                   " viewBox=\"0 0 " + coordinate(width) + " " + coordinate(height) + R"(" role="img")" +
                       attribute("aria-label", title) + " style=\"aspect-ratio:" + coordinate(width) + "/" +
                       coordinate(height) + "\"",
                   content);
}

ColumnLayout::ColumnLayout(double room, std::size_t columns, double widest)
    : each(room / static_cast<double>(columns)), width(std::min(widest, each * 0.8)) {}

std::string mergedColumnsNote(std::size_t items, std::size_t columns) {
    if (columns == 0 || items <= columns) {
        return {};
    }
    const std::size_t of_one = (items + columns - 1) / columns;
    return paragraph(fmt::format("{} steps: each column is the longest of {}. All are in the CSV report.",
                                 formatCount(items), formatCount(of_one)),
                     "note");
}

std::vector<DurationNs> ticksOf(DurationNs longest, int wanted) {
    DurationNs step = 1;
    for (DurationNs power = 1; step * wanted < longest; power *= 10) {
        for (const DurationNs factor : {1, 2, 5, 10}) {
            step = power * factor;
            if (step * wanted >= longest) {
                break;
            }
        }
    }
    std::vector<DurationNs> ticks;
    for (DurationNs at = 0; at <= longest || at == 0; at += step) {
        ticks.push_back(at);
    }
    return ticks;
}

std::string tickText(DurationNs ns) {
    if (ns == 0) {
        return "0";
    }
    const std::string text = formatDuration(ns);
    const std::size_t space = text.find(' ');
    std::string number = text.substr(0, space);
    if (number.find('.') != std::string::npos) {
        number.erase(number.find_last_not_of('0') + 1);
        if (number.back() == '.') {
            number.pop_back();
        }
    }
    return number + text.substr(space);
}

}  // namespace rankscope::report
