// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/report/tables/data_table.h"

namespace rankscope::ui {

/// A table of a report as shown in the window: these columns, titles with a capital letter, and uses of memory by their
/// titles.
[[nodiscard]] std::shared_ptr<report::DataTable> shownRows(const report::DataTable& table,
                                                           const std::vector<std::string_view>& keys);

}  // namespace rankscope::ui
