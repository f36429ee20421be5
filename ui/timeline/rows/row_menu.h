// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// Something that the user can do with a row: what it is called, with the letter for the keyboard marked by "&", and
/// how it changes what was chosen about the rows.
struct RowMenuEntry {
    QString title;
    std::function<void(RowChoices&)> change;
    bool apart = false;  ///< a line is above it
};
/// What can be done with a row, from top to bottom: pin, hide, fold, and take back what was chosen about it. Empty
/// where nothing can.
[[nodiscard]] std::vector<RowMenuEntry> rowMenu(const LayoutRow& row, const RowChoices& choices);

/// The row that folding the selection's track folds: the track where it has several rows of slices, else the group that
/// it is in, else its rank's header; nullptr where none of them is in the layout.
[[nodiscard]] const LayoutRow* rowToFold(const TimelineModel& model, const RowLayout& layout,
                                         const Selection& selection);
/// The row that folding `named` folds: itself where it can, else the row above that it is in; nullptr where there
/// is none.
[[nodiscard]] const LayoutRow* rowToFold(const RowLayout& layout, const LayoutRow& named);
/// The header of the selection's rank, or what hides it; nullptr where nothing is selected.
[[nodiscard]] const LayoutRow* rankRowToFold(const RowLayout& layout, const Selection& selection);

}  // namespace rankscope::ui
