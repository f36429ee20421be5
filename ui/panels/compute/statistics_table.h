// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/panels/shared/data_table_model.h"

namespace rankscope::ui {

/// The statistics over the ranks of a run: a row for each of report::rankStatistics(), with formatted numbers, since
/// each row has its own unit. Column "name" has the fact. No rows with fewer than two ranks.
[[nodiscard]] report::DataTable statisticsTable(const AnalysedRun& run);
/// The worst rank of each of these rows; nothing if there is none.
[[nodiscard]] std::vector<std::optional<RankPosition>> worstRanks(const AnalysedRun& run);

/// Shows statisticsTable(), its numbers aligned as numbers.
class StatisticsModel : public DataTableModel {
    Q_OBJECT

  public:
    using DataTableModel::DataTableModel;

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

}  // namespace rankscope::ui
