// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/report/tables/missing_share.h"
#include "ui/panels/shared/data_table_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/waterfall_delegate.h"

namespace rankscope::ui {

/// A line of the waterfall from the GPU's peak to what was achieved.
struct MissingRow {
    enum class Kind : std::uint8_t { Peak, Missing, Achieved };
    Kind kind = Kind::Missing;
    std::optional<report::MissingPart> part;  ///< nothing for the peak, and if no useful time is known
    DurationNs from_ns = 0;                   ///< where its bar begins, over all counted steps
    DurationNs to_ns = 0;                     ///< and ends
};

/// The peak, each missing part, and what is achieved: each line starts where the previous one ends.
[[nodiscard]] std::vector<MissingRow> missingRows(const report::MissingShare& share);
/// The same as a table whose last column is to be drawn.
[[nodiscard]] report::DataTable missingTable(const report::MissingShare& share, bool rated);
/// The same as bars.
[[nodiscard]] std::vector<WaterfallBar> missingBars(const std::vector<MissingRow>& rows, const Theme& theme);
/// The type of a line's target, and the target, in words: "Finding: DataLoader keeps the device waiting"; empty without
/// a target.
[[nodiscard]] QString leadsTo(const AnalysedRun& run, const MissingRow& row);

/// The table, with the lines that have a target as links, and the target as a tooltip.
class MissingModel : public DataTableModel {
  public:
    using DataTableModel::DataTableModel;

    /// One per row of the table.
    void setTargets(QStringList targets) { targets_ = std::move(targets); }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

  private:
    QStringList targets_;
};

}  // namespace rankscope::ui
