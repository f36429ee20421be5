// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

class QTableView;

namespace rankscope::ui {

/// All rows of a table as they are shown, in their order, as CSV with the titles above; hidden columns are left out.
[[nodiscard]] std::string csvOf(const QTableView& table);
/// Gives a table a menu that copies all its rows, or saves them, as CSV.
void addTableMenu(QTableView& table);

}  // namespace rankscope::ui
