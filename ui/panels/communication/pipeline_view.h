// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <memory>
#include <optional>

#include "ui/panels/communication/pipeline_picture.h"
#include "ui/panels/shared/painted_cells.h"

namespace rankscope::ui {

/// A box of a pipeline's step: its row, and its index in PipelineRow::passes.
struct PipelineCell {
    std::size_t row = 0;
    std::size_t box = 0;
    friend bool operator==(const PipelineCell&, const PipelineCell&) = default;
};

/// A step of a pipeline: a row for each rank, the first stage on top, with a numbered box for each micro-batch's pass.
/// The micro-batch under the pointer or the keyboard is outlined on all ranks. The keys of the timeline zoom and pan
/// while the pointer is over it. A cell is a box, and leads to its pass.
class PipelineView : public PaintedCells<PipelineCell> {
    Q_OBJECT

  public:
    using Place = PipelineCell;

    explicit PipelineView(const Theme& theme, QWidget* parent = nullptr);

    /// Replaces what is shown, and shows all of it; nullptr: nothing.
    void setPicture(std::shared_ptr<const PipelinePicture> picture);
    /// Zooms around a pixel by a factor, above 1 zooms in, within the step.
    void zoom(double factor, double about_x);
    /// Shows the whole step.
    void fit();

    /// The visible part of a box, in the widget.
    [[nodiscard]] QRectF placeOf(const Place& at) const;
    /// The visible time, on the run's clock.
    [[nodiscard]] RunSpan inSight() const;
    [[nodiscard]] std::optional<Place> cellAt(const QPointF& at) const override;
    [[nodiscard]] QString tipOf(const Place& at) const override;

    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override;
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;
    [[nodiscard]] QSize sizeHint() const override { return {400, 160}; }

  Q_SIGNALS:
    /// The user wants to see a slice of a rank on the timeline.
    void sliceActivated(rankscope::RankPosition rank, rankscope::SliceRef slice);

  protected:
    bool event(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    [[nodiscard]] bool empty() const override { return picture_ == nullptr || picture_->rows.empty(); }
    void layOut() override;
    void draw(QPainter& painter) const override;
    void drawOver(QPainter& painter) const override;
    /// The next box of the row, or the one of another row that is nearest in time.
    [[nodiscard]] std::optional<Place> next(int key) const override;
    void goTo(const Place& at) override;
    void activate(const Place& at) override;
    /// Between boxes: why nothing runs there.
    [[nodiscard]] QString tipAt(const QPointF& at) const override;
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QRectF rowPlace(std::size_t row) const;
    [[nodiscard]] double xOf(TimeNs at) const;
    /// The rectangle between two instants in a row, cut to the visible part.
    [[nodiscard]] QRectF stretch(std::size_t row, const TimeSpan& span) const;
    void lookAt(double from_ns, double length_ns);
    void drawRuler(QPainter& painter) const;
    void drawRow(QPainter& painter, std::size_t row) const;
    void drawName(QPainter& painter, std::size_t row) const;
    void outlineMicroBatch(QPainter& painter, const Place& of) const;
    [[nodiscard]] QString nameOf(std::size_t row) const;
    [[nodiscard]] QString bubbleText(std::size_t row) const;

    std::shared_ptr<const PipelinePicture> picture_;
    double left_ = 0;
    double right_ = 0;
    double ruler_ = 0;
    double row_height_ = 0;
    double from_ns_ = 0;  // the visible start, from the start of the window
    double length_ns_ = 1;
    QPointer<QWidget> lent_by_;  // the widget that had the keyboard before the pointer came
    bool lent_ = false;          // the keyboard returns to it when the pointer leaves
    std::optional<QPointF> dragged_from_;
    bool dragged_ = false;
};

}  // namespace rankscope::ui
