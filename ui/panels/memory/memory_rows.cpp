// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/memory/memory_rows.h"

#include <algorithm>
#include <cctype>

#include "core/analysis/memory/memory_part.h"

namespace rankscope::ui {
namespace {

report::Cell titleOfPart(const report::Cell& cell) {
    const auto* name = std::get_if<std::string>(&cell);
    for (std::size_t p = 0; name != nullptr && p < kMemoryParts; ++p) {
        const auto part = static_cast<MemoryPart>(p);
        if (*name == memoryPartName(part)) {
            return report::textCell(memoryPartTitle(part));
        }
    }
    return cell;
}

}  // namespace

std::shared_ptr<report::DataTable> shownRows(const report::DataTable& table,
                                             const std::vector<std::string_view>& keys) {
    auto shown = std::make_shared<report::DataTable>(table.only(keys));
    for (std::size_t column = 0; column < shown->columns.size(); ++column) {
        std::string& title = shown->columns[column].title;
        title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
        if (shown->columns[column].key == "part") {
            std::ranges::for_each(shown->rows, [column](auto& row) { row[column] = titleOfPart(row[column]); });
        }
    }
    return shown;
}

}  // namespace rankscope::ui
