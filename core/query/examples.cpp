// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/dialect.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "resources/query_page.h"

namespace rankscope::query {
namespace {

/// The title in a line like "12. All-reduces by `name`", without the marks of code; empty if the line has no number.
std::string titleOf(std::string_view line) {
    const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(line, is_digit) - line.begin());
    if (digits == 0 || line.substr(digits, 2) != ". ") {
        return {};
    }
    std::string title(line.substr(digits + 2));
    std::erase(title, '`');
    return title;
}

}  // namespace

std::vector<Example> examples() {
    std::vector<Example> all;
    std::string title;
    bool inside = false;
    std::string_view page = resources::query_page;
    while (!page.empty()) {
        const std::string_view line = page.substr(0, page.find('\n'));
        page.remove_prefix(std::min(line.size() + 1, page.size()));
        if (inside && line != "```") {
            all.back().sql += (all.back().sql.empty() ? "" : "\n") + std::string(line);
        } else if (!inside && line == "```sql") {
            all.push_back({title, {}});
        } else if (std::string found = titleOf(line); !found.empty()) {
            title = std::move(found);
        }
        inside = line == "```sql" || (inside && line != "```");
    }
    return all;
}

}  // namespace rankscope::query
