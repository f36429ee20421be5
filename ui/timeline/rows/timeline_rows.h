// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// The rows of a timeline: the user's choices about them (order, pins, hidden and folded rows, heights), the resulting
/// layout, and the scroll position. All lengths are logical pixels. The model is passed in for each layout; it is not
/// kept.
class TimelineRows {
  public:
    /// `sizes`: the heights for the text size.
    explicit TimelineRows(const RowSizes& sizes) : sizes_(sizes) {}

    /// The rows as last laid out by layOut().
    [[nodiscard]] const RowLayout& layout() const { return layout_; }
    /// The user's choices about the rows: their order, which are pinned, hidden or folded, and their heights.
    [[nodiscard]] const RowChoices& choices() const { return choices_; }
    /// The heights of rows, in logical pixels, for the text size.
    [[nodiscard]] const RowSizes& sizes() const { return sizes_; }
    /// A number that changes whenever the rows may have changed.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    /// Lays the rows out again, for another model or one that knows more. O(rows + ranks + tracks).
    void layOut(const TimelineModel& model);
    /// Sets the heights; false if they are the same.
    bool setSizes(const RowSizes& sizes, const TimelineModel& model);
    /// Sets the choices and lays the rows out again.
    void setChoices(RowChoices choices, const TimelineModel& model);
    /// Which rank shows its host threads, if only one does.
    [[nodiscard]] const RowFocus& focus() const { return focus_; }
    /// Shows the host threads only of the rank in focus, or of each rank by default.
    void setOneRank(bool one_rank, const TimelineModel& model);
    /// Puts a rank in focus; false if no row changes. The header of the rank stays at its place in the view, as far as
    /// scrolling allows.
    bool setFocus(const TimelineModel& model, std::uint32_t run, RankPosition rank);

    /// The position of the rows in the view: the scroll position, and how many pixels stay at the top.
    [[nodiscard]] RowScroll place() const { return {scroll_, sticky_}; }
    [[nodiscard]] int scroll() const { return scroll_; }
    /// How far down the rows can be scrolled; 0 if all are visible.
    [[nodiscard]] int maxScroll() const;
    /// Scrolls to `y`, clamped to [0, maxScroll()]; false if that changes nothing.
    bool setScroll(int y);
    /// The height of the view that shows the rows.
    void setViewHeight(int height);
    /// The same; rows that should fit into it are laid out again.
    void setViewHeight(int height, const TimelineModel& model);
    /// The row at a height of the view, or nullptr.
    [[nodiscard]] const LayoutRow* at(double view_y) const {
        return layout_.at(place().toRows(static_cast<int>(view_y)));
    }

    /// Unfolds what hides a rank, and scrolls its header into view.
    void showRank(const TimelineModel& model, std::uint32_t run, RankPosition rank);
    /// The same for a rank by its number in the files, of `run` or else of the first run that has it, with its header
    /// at the top. Does nothing if no run has it.
    void showRankNumber(const TimelineModel& model, std::uint32_t run, RankNumber number);
    /// Unfolds what hides a slice of `model`, and scrolls its row into view.
    void showSlice(const TimelineModel& model, const SliceSelection& slice);

  private:
    void scrollTo(const LayoutRow& row, int y, int height);

    RowSizes sizes_;
    RowChoices choices_;
    RowFocus focus_;
    RowLayout layout_;
    std::uint64_t revision_ = 0;
    int view_height_ = 1;
    int scroll_ = 0;
    int sticky_ = 0;
};

}  // namespace rankscope::ui
