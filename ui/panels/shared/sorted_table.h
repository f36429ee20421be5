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

/// A table of facts. A click on a title sorts, on a thread; a click on a row, or Enter, is a link.
class SortedTable : public QWidget {
    Q_OBJECT

  public:
    /// `name` is what it is called where it is not seen; `model` becomes its own.
    SortedTable(const QString& name, DataTableModel* model, QWidget* parent = nullptr);

    /// `table`, or in its place the words that say why there is none. `bars` are the columns that `delegate` draws.
    void set(std::shared_ptr<const report::DataTable> table, const QString& none);
    /// Draws the last column instead of writing it, and fills the width with it.
    void drawLast(QAbstractItemDelegate* delegate);
    /// No column is wider than its titles and figures need, and names are cut: for half a panel.
    void setNarrow(bool narrow);
    /// Draws the table in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Tables whose order says something are not sorted.
    void setSortable(bool sortable);

    /// Activates the row after the current one, or before it, round the end, as if it were clicked.
    void step(int direction);
    /// Rows as they are shown, for tests and for whoever looks up what a row is about.
    [[nodiscard]] QTableView& view() { return *view_; }
    /// The thread that sorts, to wait until the rows are there.
    [[nodiscard]] const LatestJob& job() const { return job_; }

  Q_SIGNALS:
    /// A row of the table that was set.
    void rowActivated(std::uint32_t row);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void sortBy(int column);
    /// As many pixels as these beside text of the usual size.
    [[nodiscard]] int scaled(int pixels) const;
    void setHeights();
    void setWidths();
    /// What a column needs for what it says, pixels.
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
};

}  // namespace rankscope::ui
