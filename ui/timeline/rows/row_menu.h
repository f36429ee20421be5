// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// Something that the user can do with a row: its title, with "&" before the mnemonic, and how it changes the choices
/// about the rows.
struct RowMenuEntry {
    QString title;
    std::function<void(RowChoices&)> change;
    bool apart = false;  ///< a line separates it from the entry above
};
/// What can be done with a row, from top to bottom: pin, hide, fold, and undo the choices about it. Empty if nothing
/// can.
[[nodiscard]] std::vector<RowMenuEntry> rowMenu(const LayoutRow& row, const RowChoices& choices);

/// The row that folding the selection's track folds: the track if it has several rows of slices, else its group, else
/// its rank's header; nullptr if none of them is in the layout.
[[nodiscard]] const LayoutRow* rowToFold(const TimelineModel& model, const RowLayout& layout,
                                         const Selection& selection);
/// The row that folding `named` folds: itself if possible, else the row above that contains it; nullptr if there is
/// none.
[[nodiscard]] const LayoutRow* rowToFold(const RowLayout& layout, const LayoutRow& named);
/// The header of the selection's rank, or the row that hides it; nullptr without a selection.
[[nodiscard]] const LayoutRow* rankRowToFold(const RowLayout& layout, const Selection& selection);

}  // namespace rankscope::ui
