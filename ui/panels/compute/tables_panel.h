// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/base/time.h"
#include "ui/panels/shared/data_table_model.h"
#include "ui/panels/shared/fact_tables.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace rankscope::ui {

class ColumnFit;

/// Kernels and operators by name, statistics over ranks, and all other tables of the reports: sorted by a click on a
/// title, filtered by typed text, copied as text. A double click, or Enter, finds all slices of the name, or leads to
/// the worst rank, or to where and when the row was. A thread makes and sorts the tables.
class TablesPanel : public QWidget {
    Q_OBJECT

  public:
    explicit TablesPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Offers the tables of these runs; keeps the chosen rank, and the chosen index of the run, if they exist.
    void setRuns(const OpenRuns& runs);
    /// Offers the tables of these logs and dumps too.
    void setCompanions(const JobCompanions& companions);
    /// Shows kernels by name, unless kernels or operators are shown; or all other tables of the reports, "All Facts".
    void showNames(bool names);
    void showFacts() { showNames(false); }
    /// Draws the table in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// The thread that makes and sorts the tables, to wait until the rows are there.
    [[nodiscard]] const LatestJob& job() const { return job_; }

  Q_SIGNALS:
    /// The user wants to see where a name is.
    void nameActivated(const QString& name);
    /// The user wants to see the worst rank of a row.
    void rankActivated(std::uint32_t run, rankscope::RankPosition rank);
    /// The user wants to see when something was, on the axis of the timeline.
    void spanActivated(std::uint32_t run, rankscope::RankPosition rank, const rankscope::TimeSpan& on_axis);
    /// The user wants to see a step of a rank.
    void stepActivated(std::uint32_t run, rankscope::RankPosition rank, rankscope::RankStepPosition step);

  protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Kind : std::uint8_t { Kernels, Operators, Statistics, Facts };

    void layOut();
    void fillChoices();
    void sortBy(int column);
    /// Gives the columns of another table the widths that they have at first.
    void setFirstWidths(const report::DataTable& table);
    /// In "All Facts", gives each text the width that it needs of what the numbers leave.
    void fillWithTexts();
    /// Measures the texts of "All Facts"; with `again`, columns whose width the user changed keep it.
    void measureTexts(bool again);
    /// Makes the columns of numbers as wide as their content.
    void widenToNumbers();
    /// Makes the table again if `other_table`, then sorts it.
    void refresh(bool other_table);
    /// The choice: a rank, for names, or one of the reports' tables.
    struct Choice {
        Kind kind = Kind::Kernels;
        std::optional<RankPosition> rank;
        std::size_t facts = 0;
    };
    [[nodiscard]] Choice choice() const;
    [[nodiscard]] static FactTable make(const AnalysedRun& run, const Choice& what, const JobCompanions& companions);
    void take(const std::shared_ptr<const report::DataTable>& table, std::vector<std::uint32_t> rows);
    /// Shows the model for the choice.
    void chooseModel();
    void activate(int row);
    [[nodiscard]] QString aboutOf(const report::DataTable* table) const;
    [[nodiscard]] Kind kind() const;

    OpenRuns runs_;
    JobCompanions companions_;
    bool stale_ = true;
    TableOrder order_;
    LatestJob job_;
    std::vector<FactPlace> places_;  // one per row of the table; empty for names
    /// A text column of "All Facts", in pixels.
    struct TextColumn {
        int column = 0;
        int least = 0;   // the least width, if there is little room
        int wanted = 0;  // the width of the whole content
        int given = 0;   // the width it got; any other width was set by the user
    };
    std::vector<TextColumn> texts_;
    std::vector<std::vector<int>> longest_;  // for "All Facts": by column, the rows with the longest texts
    int rows_measured_ = 0;
    DataTableModel* names_;
    DataTableModel* ranks_;
    DataTableModel* all_facts_;
    DataTableModel* model_;  // the model that is shown
    QTableView* table_;
    ColumnFit* fit_ = nullptr;  // of all tables but "All Facts"
    QPushButton* kernels_;
    QPushButton* operators_;
    QPushButton* statistics_;
    QPushButton* more_;
    QComboBox* run_;
    QComboBox* rank_;
    QComboBox* facts_;
    QLineEdit* filter_;
    QLabel* about_;
};

}  // namespace rankscope::ui
