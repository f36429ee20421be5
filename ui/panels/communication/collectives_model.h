// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/collectives/collective_list.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// Collectives of a run, one per row, in an order that a thread has made. Cells are made when they are displayed.
class CollectivesModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int { kStart, kStep, kOperation, kGroup, kRole, kLength, kTransfer, kWait, kBytes, kRanks, kColumns };

    explicit CollectivesModel(const Theme& theme, QObject* parent = nullptr);

    /// Shows these lines, which are of `run`; nullptr: none.
    void set(std::shared_ptr<const AnalysedRun> run, std::vector<CollectiveLine> lines);
    /// Uses the fonts of this theme from now on.
    void setTheme(const Theme& theme);
    [[nodiscard]] const CollectiveLine& line(int row) const { return lines_[static_cast<std::size_t>(row)]; }
    [[nodiscard]] const std::vector<CollectiveLine>& lines() const { return lines_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] QString cell(const CollectiveLine& line, int column) const;
    /// The value for kExactRole.
    [[nodiscard]] QVariant exact(const CollectiveLine& line, int column) const;
    [[nodiscard]] static QString titleOf(int column);

    Theme theme_;
    std::shared_ptr<const AnalysedRun> run_;
    std::vector<CollectiveLine> lines_;
};

/// Sorts lines by a column, stably; those without a value come last.
void sortLines(std::vector<CollectiveLine>& lines, const AnalysedRun& run, int column, bool descending);

}  // namespace rankscope::ui
