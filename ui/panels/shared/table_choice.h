// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/report/tables/data_table.h"
#include "ui/theme/theme.h"

class QButtonGroup;
class QStackedWidget;

namespace rankscope::ui {

class SortedTable;
class WrappingRow;

/// A table and its title.
struct TitledTable {
    QString title;
    std::shared_ptr<const report::DataTable> rows;
    QString none;  ///< why it is empty, and what to do
};

/// Tables, one at a time, chosen by title; a widget of another kind may come before them.
class TableChoice : public QWidget {
    Q_OBJECT

  public:
    explicit TableChoice(const Theme& theme, QWidget* parent = nullptr);

    /// The widget that comes before the tables, and its title. Called once, before tables are set.
    void setFirst(const QString& title, QWidget* widget);
    /// Offers these tables; the one with the title of the previous one stays in front.
    void setTables(std::vector<TitledTable> tables);
    /// Brings the table with this title to the front, or the first widget if there is none.
    void showFront(const QString& title);
    /// Draws the table in the fonts of this theme from now on.
    void setTheme(const Theme& theme);
    [[nodiscard]] SortedTable& table() { return *table_; }
    /// The title of what is in front.
    [[nodiscard]] QString front() const;

  Q_SIGNALS:
    /// A row of the table with this title was activated.
    void rowActivated(const QString& title, std::uint32_t row);

  private:
    void addButton(const QString& title, int id);
    void show(int id);

    std::vector<TitledTable> tables_;
    QString first_;   // title of the first widget; empty: there is none
    QString wanted_;  // title that the user chose
    QButtonGroup* either_;
    WrappingRow* choices_;
    QStackedWidget* fronts_;
    SortedTable* table_;
};

}  // namespace rankscope::ui
