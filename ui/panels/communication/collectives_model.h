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

/// Collectives of a run, a row each, in an order that was made on a thread. A cell is made when it is looked at.
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
    /// As kExactRole has it.
    [[nodiscard]] QVariant exact(const CollectiveLine& line, int column) const;
    [[nodiscard]] static QString titleOf(int column);

    Theme theme_;
    std::shared_ptr<const AnalysedRun> run_;
    std::vector<CollectiveLine> lines_;
};

/// Puts lines in the order of a column; those without a value are last, equal ones as they were.
void sortLines(std::vector<CollectiveLine>& lines, const AnalysedRun& run, int column, bool descending);

}  // namespace rankscope::ui
