// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <string>

class QAction;
class QTableView;

namespace rankscope::ui {

/// All rows of a table in the order in which they are shown, as CSV with the titles above; hidden columns are left out,
/// and drawn ones without words.
/// Where the model has a kExactRole, numbers are whole, without their unit, which the title has.
[[nodiscard]] std::string csvOf(const QTableView& table);
/// What a file of the table is called where the user says nothing else: "ZeroWorkers-steps.csv", by the one run that
/// the window names and the panel that the table is in.
[[nodiscard]] QString defaultCsvName(const QTableView& table);
/// Gives a table a menu that copies all its rows, or saves them, as CSV.
void addTableMenu(QTableView& table);
/// Gives its menu an entry that does with the current column what a click on its title does.
QAction* addSortAction(QTableView& table, const std::function<void(int column)>& sort);

}  // namespace rankscope::ui
