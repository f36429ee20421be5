// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPoint>
#include <QSize>
#include <optional>

#include "ui/timeline/frame/frame_pipeline.h"
#include "ui/timeline/rows/timeline_rows.h"

namespace rankscope::ui {

/// Model, rows, view and frame pipeline, connected: the frame is built again only when its content has changed. Needs
/// no widget. All positions are logical pixels from the top left corner of the tracks.
class TimelineScene {
  public:
    explicit TimelineScene(const Theme& theme);

    /// Sets the colours and the text size.
    void setTheme(const Theme& theme);
    /// Sets the model; the view stays if that makes sense, and shows everything if nothing was shown before.
    void setModel(TimelineModel model);
    /// The input of the IndexStore: all ranks, and the counters of those that show them.
    [[nodiscard]] std::vector<RankSource> sources() const;
    /// Takes the indices that have been built since.
    void takeIndices(const IndexStore& store);
    /// Sets the size of the tracks in logical pixels, and the device pixels per logical pixel.
    void resize(const QSize& tracks, double pixel_ratio);
    /// The size of the tracks in logical pixels.
    [[nodiscard]] const QSize& size() const { return size_; }

    /// The overlays on the slices: gaps, exposed communication, stragglers and so on.
    [[nodiscard]] const OverlaySet& overlays() const { return overlays_; }
    /// Switches overlays on and off.
    void setOverlays(const OverlaySet& overlays);
    /// Sets the critical path, which is shown if that overlay is on; nullptr for none.
    void setPath(std::shared_ptr<const ShownPath> path);
    [[nodiscard]] const Theme& theme() const { return pipeline_.theme(); }
    [[nodiscard]] const TimelineModel& model() const { return model_; }
    [[nodiscard]] const RowLayout& layout() const { return rows_.layout(); }
    /// A number that changes whenever the rows, or their theme, may have changed.
    [[nodiscard]] std::uint64_t rowsRevision() const { return rows_.revision() + themes_; }
    [[nodiscard]] const Viewport& viewport() const { return viewport_; }
    /// The view, for changes: the frame is built again.
    [[nodiscard]] Viewport& changeView();

    /// The position of the rows in the view.
    [[nodiscard]] RowScroll rows() const { return rows_.place(); }
    [[nodiscard]] int scroll() const { return rows_.scroll(); }
    [[nodiscard]] int maxScroll() const { return rows_.maxScroll(); }
    /// Scrolls the rows to `y`, as far as possible.
    void setScroll(int y);

    /// The draw list of everything in view.
    [[nodiscard]] const Frame& frame() { return pipeline_.frame(source()); }
    /// A number for the latest frame, from 1.
    [[nodiscard]] std::uint64_t frameNumber() const { return pipeline_.frames(); }
    /// The painted frame.
    [[nodiscard]] const QImage& image() { return pipeline_.image(source()); }
    /// What is drawn at a point.
    [[nodiscard]] Hit hit(const QPointF& at) { return pipeline_.hit(source(), at); }

    /// The row at a height of the view, or nullptr.
    [[nodiscard]] const LayoutRow* rowAt(double y) const { return rows_.at(y); }
    /// The time of the step at a point of a rank's header.
    [[nodiscard]] std::optional<TimeSpan> stepAt(const QPointF& at) const;

    /// The user's choices about the rows.
    [[nodiscard]] const RowChoices& choices() const { return rows_.choices(); }
    /// Sets the choices and lays the rows out again.
    void setChoices(RowChoices choices);
    /// Whether only the rank in focus shows its host threads.
    [[nodiscard]] bool oneRankUnfolded() const { return rows_.focus().one_rank; }
    /// Shows host threads only for that rank, or for each rank by default.
    void setOneRankUnfolded(bool one_rank);
    /// Puts a rank in focus; false if the rows do not change.
    bool setFocus(std::uint32_t run, RankPosition rank);
    /// Unfolds a rank and scrolls to its header; by its number, of `run` or else of the first run that has it.
    void showRankNumber(std::uint32_t run, RankNumber number);
    /// The same of a rank of a run, by its position.
    void showRank(std::uint32_t run, RankPosition rank);
    /// The same for a step of a rank; returns its time on the axis.
    [[nodiscard]] std::optional<TimeSpan> showStep(std::uint32_t run, RankPosition rank, RankStepPosition step);
    /// Unfolds and scrolls `selection` into view, and returns the window that shows it at a readable size.
    [[nodiscard]] TimeSpan reveal(const Selection& selection);
    /// The same for a selection and its surroundings.
    [[nodiscard]] TimeSpan reveal(const Selection& selection, const TimeSpan& around);

  private:
    [[nodiscard]] FrameSource source() const {
        return {model_, rows_.layout(), {&viewport_, rows_.place(), size_.width(), size_.height(), overlays_}};
    }
    /// The window that shows `span` at a readable size: the current one if it does.
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
