// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/panels/shared/data_table_model.h"

namespace rankscope::ui {

/// The statistics over the ranks of a run: a row for each of report::rankStatistics(), with each number as people read
/// it, since each row has a unit of its own. Column "name" has the fact. No rows where there are fewer than two ranks.
[[nodiscard]] report::DataTable statisticsTable(const AnalysedRun& run);
/// Which rank each of these rows is worst on; nothing where none is.
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
