// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// The rows of a timeline: what the user chose about them (order, pins, hidden and folded rows, heights), where they
/// are then, and how far they are scrolled. All lengths are logical pixels. The model is passed in where rows are
/// laid out anew; it is not kept.
class TimelineRows {
  public:
    /// `sizes`: the heights that suit the text.
    explicit TimelineRows(const RowSizes& sizes) : sizes_(sizes) {}

    /// Where the rows are, as layOut() made them last.
    [[nodiscard]] const RowLayout& layout() const { return layout_; }
    /// What the user chose about the rows: their order, which are pinned, hidden or folded, and their heights.
    [[nodiscard]] const RowChoices& choices() const { return choices_; }
    /// The heights of rows, in logical pixels, that suit the size of the text.
    [[nodiscard]] const RowSizes& sizes() const { return sizes_; }
    /// Another number whenever the rows may have changed.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    /// Lays the rows out anew, for another model or one that has learned more. O(rows + ranks + tracks).
    void layOut(const TimelineModel& model);
    /// Takes other heights; false where they are the same.
    bool setSizes(const RowSizes& sizes, const TimelineModel& model);
    /// Takes other choices and lays the rows out anew.
    void setChoices(RowChoices choices, const TimelineModel& model);
    /// Which rank shows its host threads, where only one does.
    [[nodiscard]] const RowFocus& focus() const { return focus_; }
    /// Has only the rank in focus show its host threads, or each rank as it would by itself.
    void setOneRank(bool one_rank, const TimelineModel& model);
    /// Puts a rank in focus; false where no row changes for that. The header of the rank stays where it is in the view,
    /// as far as there are rows to scroll.
    bool setFocus(const TimelineModel& model, std::uint32_t run, RankPosition rank);

    /// Where the rows are in the view: how far they are scrolled, and how many pixels stay at the top.
    [[nodiscard]] RowScroll place() const { return {scroll_, sticky_}; }
    [[nodiscard]] int scroll() const { return scroll_; }
    /// How far down the rows can be scrolled; 0 where all are in sight.
    [[nodiscard]] int maxScroll() const;
    /// Scrolls to `y`, clamped to [0, maxScroll()]; false where that changes nothing.
    bool setScroll(int y);
    /// The height of the view that shows the rows.
    void setViewHeight(int height);
    /// The same; rows that are to fit into it are laid out anew.
    void setViewHeight(int height, const TimelineModel& model);
    /// The row at a height of the view, or nullptr.
    [[nodiscard]] const LayoutRow* at(double view_y) const {
        return layout_.at(place().toRows(static_cast<int>(view_y)));
    }

    /// Unfolds what hides a rank, and scrolls so that its header is in sight.
    void showRank(const TimelineModel& model, std::uint32_t run, RankPosition rank);
    /// The same for the rank with a number as the files have it, of `run` or else of the first run that has it, with
    /// its header at the top. Nothing happens where no run has it.
    void showRankNumber(const TimelineModel& model, std::uint32_t run, RankNumber number);
    /// Unfolds what hides a slice that `model` has, and scrolls so that its row is in sight.
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
