// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/cut_table.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/format.h"

namespace rankscope::report {

ShownRows cutTo(Table table, std::size_t most, std::string_view one, std::string_view where) {
    ShownRows cut{std::move(table), {}};
    if (const std::size_t all = cut.table.rows.size(); all > most) {
        cut.table.rows.resize(most);
        cut.rest = fmt::format("and {}, in {}", formatCounted(all - most, fmt::format("more {}", one)), where);
    }
    return cut;
}

}  // namespace rankscope::report
