// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/panels/data_table_model.h"
#include "ui/panels/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace rankscope::ui {

/// Kernels and operators by name, and statistics over ranks: sorted by a click on a title, filtered by what is typed,
/// copied as text. A double click, or Enter, finds all slices of the name, or leads to the rank that is worst. The
/// tables are made and sorted on a thread.
class TablesPanel : public QWidget {
    Q_OBJECT

  public:
    explicit TablesPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Offers the tables of these runs; the chosen run and rank stay, as far as there are so many.
    void setRuns(const OpenRuns& runs);
    /// Draws the table in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// The thread that makes and sorts the tables, for whoever waits until the rows stand.
    [[nodiscard]] const LatestJob& job() const { return job_; }

  Q_SIGNALS:
    /// The user wants to see where a name is.
    void nameActivated(const QString& name);
    /// The user wants to see the rank that is worst in something.
    void rankActivated(std::uint32_t run, rankscope::RankPosition rank);

  protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Kind : std::uint8_t { Kernels, Operators, Statistics };

    void layOut();
    void fillChoices();
    void sortBy(int column);
    /// Gives the names what the numbers leave of the width.
    void fillWidth();
    /// Makes the table anew where `what` is another, then its order.
    void refresh(bool other_table);
    /// A table, and which ranks its rows lead to, if they lead to ranks.
    struct Made {
        report::DataTable table;
        std::vector<std::optional<RankPosition>> worst;
    };
    [[nodiscard]] static Made make(const AnalysedRun& run, Kind what, std::optional<RankPosition> rank);
    void take(const std::shared_ptr<const report::DataTable>& table, std::vector<std::uint32_t> rows);
    /// Shows the model that fits what is chosen.
    void chooseModel();
    void activate(int row);
    [[nodiscard]] QString aboutOf(const report::DataTable* table) const;
    [[nodiscard]] Kind kind() const;
    [[nodiscard]] std::optional<RankPosition> rank() const;

    OpenRuns runs_;
    bool stale_ = true;
    TableOrder order_;
    LatestJob job_;
    std::vector<std::optional<RankPosition>> worst_;  // as the rows of the table of statistics
    DataTableModel* names_;
    DataTableModel* ranks_;
    DataTableModel* model_;  // the one of them that is shown
    QTableView* table_;
    QPushButton* kernels_;
    QPushButton* operators_;
    QPushButton* statistics_;
    QComboBox* run_;
    QComboBox* rank_;
    QLineEdit* filter_;
    QLabel* about_;
};

}  // namespace rankscope::ui
