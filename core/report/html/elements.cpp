// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/elements.h"

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

std::string folded(std::string_view summary, std::string_view content, bool open) {
    return element("details", open ? " open" : "",
                   element("summary", "", summary) + "\n<div class=\"inside\">" + std::string(content) + "</div>") +
           "\n";
}

}  // namespace rankscope::report
