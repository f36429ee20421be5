// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <vector>

#include "core/base/time.h"
#include "ui/theme/theme.h"
#include "ui/widgets/cell_delegate.h"

namespace rankscope::ui {

/// One bar of a waterfall, one per row.
struct WaterfallBar {
    DurationNs from_ns = 0;  ///< the running total before it
    DurationNs to_ns = 0;    ///< and after it
    bool whole = false;      ///< a total: drawn from the left edge
    QColor colour;
};

/// The value at the left edge: 0, or near the lowest point if the changes are small compared with the total.
[[nodiscard]] DurationNs leftEdgeOf(const std::vector<WaterfallBar>& bars);

/// Draws a column of a table as a waterfall.
class WaterfallDelegate : public CellDelegate {
    Q_OBJECT

  public:
    using CellDelegate::CellDelegate;

    /// Draws these bars, one for each row of the table, from `left_edge_ns` on.
    void set(std::vector<WaterfallBar> bars, DurationNs left_edge_ns, const Theme& theme);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    std::vector<WaterfallBar> bars_;
    Theme theme_;
    DurationNs first_ns_ = 0;  // at the left edge
    DurationNs last_ns_ = 1;   // at the right edge
};

}  // namespace rankscope::ui
