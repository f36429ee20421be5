// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPoint>
#include <QSize>
#include <optional>

#include "ui/timeline/frame_builder.h"
#include "ui/timeline/hit_test.h"
#include "ui/timeline/timeline_state.h"
#include "ui/timeline/tracks_painter.h"

namespace rankscope::ui {

/// Model, rows and view together, with the frame that they make: built again only when one of them has changed. All
/// positions are logical pixels from the upper left corner of the tracks.
class TimelineScene {
  public:
    explicit TimelineScene(const Theme& theme);

    void setTheme(const Theme& theme);
    void setModel(TimelineModel model);
    void takeIndices(const IndexStore& store);
    void resize(const QSize& tracks, double pixel_ratio);

    [[nodiscard]] const OverlaySet& overlays() const { return overlays_; }
    void setOverlays(const OverlaySet& overlays);
    [[nodiscard]] const Theme& theme() const { return theme_; }
    [[nodiscard]] const TimelineModel& model() const { return model_; }
    [[nodiscard]] const RowLayout& layout() const { return layout_; }
    /// Another number whenever the rows, or the theme that they are shown in, may have changed.
    [[nodiscard]] std::uint64_t rowsRevision() const { return rows_revision_; }
    [[nodiscard]] const Viewport& viewport() const { return viewport_; }
    /// The view, to be changed: the frame is built again.
    [[nodiscard]] Viewport& changeView();

    /// Where the rows stand in the view.
    [[nodiscard]] RowScroll rows() const { return {scroll_, sticky_}; }
    [[nodiscard]] int scroll() const { return scroll_; }
    [[nodiscard]] int maxScroll() const;
    void setScroll(int y);

    [[nodiscard]] const Frame& frame();
    /// The painted frame.
    [[nodiscard]] const QImage& image();

    [[nodiscard]] Hit hit(const QPointF& at);
    /// The row at a height of the view, or nullptr.
    [[nodiscard]] const LayoutRow* rowAt(double y) const { return layout_.at(rows().toRows(static_cast<int>(y))); }
    /// The time of the step that is drawn at a point of a rank's header.
    [[nodiscard]] std::optional<TimeSpan> stepAt(const QPointF& at) const;
    void toggleFoldAt(double y);

    /// What the user chose about the rows.
    [[nodiscard]] const RowChoices& choices() const { return choices_; }
    void setChoices(RowChoices choices);
    /// Unfolds a rank and scrolls to its header; by its number, of `run` or else of the first run that has it.
    void showRankNumber(std::uint32_t run, std::int32_t number);
    /// The same for a step of a rank (an index in RankFacts::steps), and where that is on the axis.
    [[nodiscard]] std::optional<TimeSpan> showStep(std::uint32_t run, std::uint32_t rank, std::uint32_t step);
    /// Unfolds and scrolls so that `selection` is in sight, and returns the window that shows it at a readable size.
    [[nodiscard]] TimeSpan reveal(const Selection& selection);

  private:
    void outdate();
    void layOut();
    void showRank(std::uint32_t run, std::uint32_t rank);
    void scrollTo(const LayoutRow& row, int y, int height);

    Theme theme_;
    RowSizes sizes_;
    TimelineModel model_;
    RowChoices choices_;
    RowLayout layout_;
    std::uint64_t rows_revision_ = 0;
    Viewport viewport_;
    QSize size_{1, 1};
    double pixel_ratio_ = 1.0;
    int scroll_ = 0;
    int sticky_ = 0;  // logical pixels at the top that do not scroll
    OverlaySet overlays_;

    std::optional<FrameBuilder> builder_;  // nothing after the theme or the scale has changed, like the painter
    std::optional<TracksPainter> painter_;
    std::optional<Frame> frame_;  // nothing when it must be built again
    Frame spare_;                 // the memory of the last one
    QImage image_;
    bool painted_ = false;
};

}  // namespace rankscope::ui
