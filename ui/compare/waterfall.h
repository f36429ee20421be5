// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/compare/breakdown.h"
#include "core/report/tables/data_table.h"
#include "ui/theme/theme.h"
#include "ui/widgets/stacked_bar.h"
#include "ui/widgets/waterfall_delegate.h"

namespace rankscope::ui {

/// One line of the way from A's mean step to B's.
struct WaterfallRow {
    std::optional<BreakdownRow> part;  ///< nothing: the whole step of a run
    DurationNs from_ns = 0;            ///< the running total before this part
    DurationNs to_ns = 0;              ///< and after it
};

/// A's step, each part that either run has, B's step.
[[nodiscard]] std::vector<WaterfallRow> waterfallOf(const Breakdown& breakdown);
/// The same as a table whose last column is to be drawn.
[[nodiscard]] report::DataTable waterfallTable(const Breakdown& breakdown);

/// The colour of a part of the step: as on the timeline for device work, amber for idle time.
[[nodiscard]] QColor partColour(const BreakdownRow& row, const Theme& theme);
/// One run's mean step as the parts of a bar.
[[nodiscard]] std::vector<BarPart> barOf(const Breakdown& breakdown, bool of_b, const Theme& theme);

/// The rows as they are drawn.
[[nodiscard]] std::vector<WaterfallBar> waterfallBars(const std::vector<WaterfallRow>& rows, const Theme& theme);

}  // namespace rankscope::ui
