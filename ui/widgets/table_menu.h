// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <string>

#include "core/base/result.h"

class QAction;
class QTableView;

namespace rankscope::ui {

/// All rows of a table in the displayed order, as CSV with the titles; without hidden columns, and with empty cells for
/// drawn ones. If the model has a kExactRole, numbers are exact, without their unit, which the title has.
[[nodiscard]] std::string csvOf(const QTableView& table);
/// The default name of a file of the table: "ZeroWorkers-steps.csv", from the one run that the window names and the
/// panel of the table.
[[nodiscard]] QString defaultCsvName(const QTableView& table);
/// Asks for the file that a table is saved to, in a dialog with this title; nothing if the user cancels.
[[nodiscard]] std::optional<QString> askForCsv(QTableView& table, const QString& title);
/// Says that a table is saved, or what went wrong, in a message with this title.
void tellSaved(QTableView& table, const QString& title, const QString& path, const std::optional<Error>& error);
/// Gives a table a menu that copies all its rows, or saves them, as CSV.
void addTableMenu(QTableView& table);
/// Adds an entry to its menu that sorts by the current column, as a click on its title does: it calls `sort` with the
/// index of that column. Returns the entry.
QAction* addSortAction(QTableView& table, const std::function<void(int column)>& sort);

}  // namespace rankscope::ui
