// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <cstdint>
#include <vector>

#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {

/// The steps of all open runs: a row for each rank of each step.
class StepsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column {
        kRun,
        kStep,
        kStepTime,
        kRank,
        kRankTime,
        kBar,
        kCompute,
        kExposedComm,
        kExposedCopy,
        kIdle,
        kNotes,
        kColumns
    };

    explicit StepsModel(const Theme& theme, QObject* parent = nullptr);

    /// Shows the steps of these runs instead of all previous rows. O(steps x ranks).
    void setRuns(const OpenRuns& runs);
    /// Takes the colours of the rows' bars from another theme.
    void setTheme(const Theme& theme);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The four parts of the row's step; empty for a rank without device work.
    [[nodiscard]] std::vector<BarPart> parts(int row) const;
    /// Whether any row has something in its column kNotes. O(rows).
    [[nodiscard]] bool hasNotes() const;
    /// Whether the row is the first of its step.
    [[nodiscard]] bool startsStep(int row) const;
    /// The slice that marks the row's step; its ref is invalid if there is none.
    [[nodiscard]] SliceSelection mark(int row) const;
    [[nodiscard]] const Theme& theme() const { return theme_; }

  private:
    struct Row {
        std::uint32_t run = 0;
        RunStepPosition run_step;
        RankPosition rank;
        RankStepPosition step;
        bool first = false;
    };

    [[nodiscard]] const RankStep& rankStep(const Row& row) const;
    [[nodiscard]] const RunStep& runStep(const Row& row) const;
    [[nodiscard]] QString cell(const Row& row, int column) const;
    /// The value for kExactRole: for each row, even where the table shows the run and the step only once.
    [[nodiscard]] QVariant exact(const Row& row, int column) const;
    [[nodiscard]] QString notes(const Row& row) const;

    Theme theme_;
    OpenRuns runs_;
    std::vector<Row> rows_;
};

}  // namespace rankscope::ui
