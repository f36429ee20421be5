// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/panels/shared/data_table_model.h"
#include "ui/timeline/latest_job.h"

class QAbstractItemDelegate;
class QAction;
class QLabel;
class QTableView;

namespace rankscope::ui {

/// A table of facts. A click on a title sorts, on a thread; a click on a row, or Enter, follows its link.
class SortedTable : public QWidget {
    Q_OBJECT

  public:
    /// `name` is its accessible name; it takes ownership of `model`.
    SortedTable(const QString& name, DataTableModel* model, QWidget* parent = nullptr);

    /// Shows `table`, or the words that say why there is none. `bars` are for the columns that `delegate` draws.
    void set(std::shared_ptr<const report::DataTable> table, const QString& none);
    /// Draws the last column instead of writing it, and fills the width with it.
    void drawLast(QAbstractItemDelegate* delegate);
    /// For half a panel: no column is wider than its titles and figures need, and names are cut.
    void setNarrow(bool narrow);
    /// For tables of many kinds: each column is as wide as its title and its first rows need, up to a width.
    void setFitted(bool fitted);
    /// Draws the table in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Switches sorting; tables whose order has a meaning are not sorted.
    void setSortable(bool sortable);

    /// Activates the next or previous row, and wraps around, as if it were clicked.
    void step(int direction);
    /// The rows as shown, for tests and for finding the subject of a row.
    [[nodiscard]] QTableView& view() { return *view_; }
    /// The thread that sorts, to wait until the rows are there.
    [[nodiscard]] const LatestJob& job() const { return job_; }

  Q_SIGNALS:
    /// A row of the current table was activated.
    void rowActivated(std::uint32_t row);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void sortBy(int column);
    /// `pixels` scaled to the current text size.
    [[nodiscard]] int scaled(int pixels) const;
    void setHeights();
    void setWidths();
    /// The width that a column needs for its content, in pixels.
    [[nodiscard]] int widestOf(int column) const;
    void activate(int shown_row);

    std::shared_ptr<const report::DataTable> table_;
    TableOrder order_;
    LatestJob job_;
    DataTableModel* model_;
    QTableView* view_;
    QAction* sort_ = nullptr;
    QLabel* none_;
    bool draws_last_ = false;
    bool narrow_ = false;
    bool fitted_ = false;
};

}  // namespace rankscope::ui
