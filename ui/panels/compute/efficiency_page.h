// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/report/tables/data_table.h"
#include "core/report/tables/missing_share.h"
#include "ui/panels/compute/efficiency_words.h"
#include "ui/panels/compute/missing_rows.h"
#include "ui/panels/compute/roofline_chart.h"

namespace rankscope::ui {

/// The content of the efficiency page for a run, or for one of its ranks.
struct EfficiencyPage {
    std::shared_ptr<const AnalysedRun> of;
    std::optional<RankPosition> rank;
    EfficiencyHead head;
    std::vector<MissingRow> way;  ///< from the peak to what is achieved
    QStringList targets;          ///< as `way`: the link of each line
    std::shared_ptr<const report::DataTable> missing;
    std::shared_ptr<const report::DataTable> operators;  ///< as ProductTables::products of `rank`
    std::shared_ptr<const report::DataTable> kernels;    ///< as ProductTables::kernels of `rank`

    /// The table of operators or of kernels.
    [[nodiscard]] const std::shared_ptr<const report::DataTable>& rows(Counted what) const {
        return what == Counted::Operators ? operators : kernels;
    }
    /// The place that a row of the table leads to.
    [[nodiscard]] const EfficiencyPlace& placeOf(Counted what, std::size_t row) const;
};

/// Computes the page. O(ledger + findings + rows of the tables).
[[nodiscard]] std::shared_ptr<const EfficiencyPage> makeEfficiencyPage(const std::shared_ptr<const AnalysedRun>& run,
                                                                       std::optional<RankPosition> rank);

}  // namespace rankscope::ui
