// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/panels/memory/memory_page.h"
#include "ui/panels/shared/data_table_model.h"
#include "ui/theme/theme.h"

class QButtonGroup;
class QTableView;

namespace rankscope::ui {

class WrappingRow;

/// The tables of a memory page, one at a time, chosen by title; sorted by a click on a column's title.
class MemoryTables : public QWidget {
    Q_OBJECT

  public:
    explicit MemoryTables(const Theme& theme, QWidget* parent = nullptr);

    /// Offers these tables; the one with the title of the previous one stays in front.
    void setTables(std::vector<MemoryTable> tables);
    /// Draws the table in the fonts of this theme from now on.
    void setTheme(const Theme& theme);
    [[nodiscard]] QTableView& view() { return *view_; }

  Q_SIGNALS:
    /// The stack of the current row, innermost frame first; empty: no row, or its stack is unknown.
    void framesChosen(const QStringList& frames);
    /// The user wants to see what a row is about on the timeline.
    void targetActivated(const rankscope::ui::MemoryTarget& target);

  private:
    void layOut();
    void showTable(int table);
    void sortBy(int column);
    void activate(const QModelIndex& at);
    void chooseRow(const QModelIndex& at);
    [[nodiscard]] const MemoryTable* shown() const;

    std::vector<MemoryTable> tables_;
    QString front_;  // title of the table that the user chose
    int shown_ = -1;
    TableOrder order_;
    DataTableModel* model_;
    QTableView* view_;
    QButtonGroup* either_;
    WrappingRow* choices_;
};

}  // namespace rankscope::ui
