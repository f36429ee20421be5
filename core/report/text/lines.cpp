// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text/lines.h"

#include "core/report/model/table.h"

namespace rankscope::report {

std::string line(std::string_view text, std::size_t indent) {
    return std::string(indent, ' ') + wrapped(text, indent, kLineWidth) + "\n";
}

std::string lines(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
        out += line(text);
    }
    return out;
}

std::string tableLines(const ShownRows& cut) {
    return tableText(cut.table, kIndent) + (cut.rest.empty() ? "" : line(cut.rest));
}

}  // namespace rankscope::report
