// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPoint>
#include <QSize>
#include <optional>

#include "ui/timeline/frame/frame_pipeline.h"
#include "ui/timeline/rows/timeline_rows.h"

namespace rankscope::ui {

/// Model, rows, view and frame pipeline wired together: the frame is built again only when what it shows has changed.
/// Needs no widget. All positions are logical pixels from the upper left corner of the tracks.
class TimelineScene {
  public:
    explicit TimelineScene(const Theme& theme);

    /// Takes other colours and another size of text.
    void setTheme(const Theme& theme);
    /// Shows another model; the view stays where it makes sense, and shows all where nothing was shown before.
    void setModel(TimelineModel model);
    /// What an IndexStore builds indices of: of all ranks, and the counters of those that show them.
    [[nodiscard]] std::vector<RankSource> sources() const;
    /// Takes over the indices that have been built meanwhile.
    void takeIndices(const IndexStore& store);
    /// The size of the tracks in logical pixels, and device pixels a logical one.
    void resize(const QSize& tracks, double pixel_ratio);
    /// The size of the tracks in logical pixels.
    [[nodiscard]] const QSize& size() const { return size_; }

    /// Which overlays are laid over the slices: gaps, exposed communication, stragglers and the like.
    [[nodiscard]] const OverlaySet& overlays() const { return overlays_; }
    /// Switches what is laid over the slices on and off.
    void setOverlays(const OverlaySet& overlays);
    /// Shows another critical path, where that overlay is on; nullptr for none.
    void setPath(std::shared_ptr<const ShownPath> path);
    [[nodiscard]] const Theme& theme() const { return pipeline_.theme(); }
    [[nodiscard]] const TimelineModel& model() const { return model_; }
    [[nodiscard]] const RowLayout& layout() const { return rows_.layout(); }
    /// Another number whenever the rows, or the theme that they are shown in, may have changed.
    [[nodiscard]] std::uint64_t rowsRevision() const { return rows_.revision() + themes_; }
    [[nodiscard]] const Viewport& viewport() const { return viewport_; }
    /// The view, to be changed: the frame is built again.
    [[nodiscard]] Viewport& changeView();

    /// Where the rows are in the view.
    [[nodiscard]] RowScroll rows() const { return rows_.place(); }
    [[nodiscard]] int scroll() const { return rows_.scroll(); }
    [[nodiscard]] int maxScroll() const { return rows_.maxScroll(); }
    /// Scrolls the rows to `y`, as far as there are rows.
    void setScroll(int y);

    /// The draw list of what is in sight.
    [[nodiscard]] const Frame& frame() { return pipeline_.frame(source()); }
    /// The painted frame.
    [[nodiscard]] const QImage& image() { return pipeline_.image(source()); }
    /// What is drawn at a point.
    [[nodiscard]] Hit hit(const QPointF& at) { return pipeline_.hit(source(), at); }

    /// The row at a height of the view, or nullptr.
    [[nodiscard]] const LayoutRow* rowAt(double y) const { return rows_.at(y); }
    /// The time of the step that is drawn at a point of a rank's header.
    [[nodiscard]] std::optional<TimeSpan> stepAt(const QPointF& at) const;

    /// What the user chose about the rows.
    [[nodiscard]] const RowChoices& choices() const { return rows_.choices(); }
    /// Takes other choices and lays the rows out anew.
    void setChoices(RowChoices choices);
    /// Whether only the rank in focus shows its host threads.
    [[nodiscard]] bool oneRankUnfolded() const { return rows_.focus().one_rank; }
    /// Has only that rank show them, or each rank as it would by itself.
    void setOneRankUnfolded(bool one_rank);
    /// Puts a rank in focus; false where the rows stay as they are.
    bool setFocus(std::uint32_t run, RankPosition rank);
    /// Unfolds a rank and scrolls to its header; by its number, of `run` or else of the first run that has it.
    void showRankNumber(std::uint32_t run, RankNumber number);
    /// The same of a rank of a run, by its position.
    void showRank(std::uint32_t run, RankPosition rank);
    /// The same for a step of a rank, and where that is on the axis.
    [[nodiscard]] std::optional<TimeSpan> showStep(std::uint32_t run, RankPosition rank, RankStepPosition step);
    /// Unfolds and scrolls so that `selection` is in sight, and returns the window that shows it at a readable size.
    [[nodiscard]] TimeSpan reveal(const Selection& selection);
    /// The same of a selection and what is around it.
    [[nodiscard]] TimeSpan reveal(const Selection& selection, const TimeSpan& around);

  private:
    [[nodiscard]] FrameSource source() const {
        return {model_, rows_.layout(), {&viewport_, rows_.place(), size_.width(), size_.height(), overlays_}};
    }
    /// The window that shows `span` at a readable size: the one in sight where that does.
    [[nodiscard]] TimeSpan readableWindow(const TimeSpan& span) const;

    TimelineModel model_;
    TimelineRows rows_;
    Viewport viewport_;
    OverlaySet overlays_;
    FramePipeline pipeline_;
    QSize size_{1, 1};
    std::uint64_t themes_ = 0;  // how often the theme was set
};

}  // namespace rankscope::ui
