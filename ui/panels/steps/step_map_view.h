// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ui/panels/shared/painted_cells.h"
#include "ui/panels/steps/step_map.h"
#include "ui/timeline/latest_job.h"

namespace rankscope::ui {

/// What colours the map, for people: "Compute".
[[nodiscard]] QString stepMapTitle(StepMapMeasure measure);

/// A rank and a step, as indices of StepTable.
using StepMapCell = std::pair<std::size_t, std::size_t>;

/// All steps of all ranks as cells: a row per rank, the highest above the typical value on top, those that are alike as
/// one row below; a column per step. If there are more ranks than lines of pixels, several share a line, coloured by
/// the hottest. The picture is made on a thread. A cell leads to its step.
class StepMapView : public PaintedCells<StepMapCell> {
    Q_OBJECT

  public:
    using Cell = StepMapCell;

    explicit StepMapView(const Theme& theme, QWidget* parent = nullptr);

    /// Replaces what is shown, by one measure; nullptr: nothing. shown() follows.
    void setMap(std::shared_ptr<const StepTable> map, StepMapMeasure measure);
    /// The order of its rows; nullptr while it is being computed.
    [[nodiscard]] const StepMapRows* rows() const { return made_ ? &made_->rows : nullptr; }
    /// Where a rank's step is drawn: its cell, or the line that contains it.
    [[nodiscard]] QRect placeOf(const Cell& cell) const;
    /// The hottest rank of the line at a point, and the step there; nothing outside the cells.
    [[nodiscard]] std::optional<Cell> cellAt(const QPointF& at) const override;
    [[nodiscard]] QString tipOf(const Cell& cell) const override;
    /// Whether cells are large enough for stripes on the hottest.
    [[nodiscard]] bool striped() const;
    [[nodiscard]] bool busy() const { return job_.busy(); }
    /// Waits for the picture, and shows it: for screenshots and tests.
    void settle() { job_.finish(); }

    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override;
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;
    [[nodiscard]] QSize sizeHint() const override;

  Q_SIGNALS:
    /// The picture has changed.
    void shown();
    /// The user wants to see a step, by its number, of a rank.
    void cellActivated(rankscope::RankNumber rank, std::int64_t step);

  protected:
    // The pointer stays an arrow. NOLINTNEXTLINE(bugprone-parent-virtual-call): the class between changes it
    void mouseMoveEvent(QMouseEvent* event) override { QWidget::mouseMoveEvent(event); }

  private:
    /// The shown picture, made on a thread.
    struct Made {
        std::shared_ptr<const StepTable> map;
        StepMapRows rows;
        QImage picture;  ///< a line of pixels for each line of cells; a column for each step
        /// By line of the ranks that are apart and by step: whether the cell is striped.
        std::vector<std::vector<bool>> hot;
    };

    [[nodiscard]] bool empty() const override { return !made_ || made_->map->cells.empty(); }
    /// Makes the picture on the thread. The old one stays until the new one is there.
    void layOut() override;
    void draw(QPainter& painter) const override;
    void drawOver(QPainter& painter) const override;
    [[nodiscard]] std::optional<Cell> next(int key) const override;
    void activate(const Cell& cell) override;
    [[nodiscard]] bool walksWith(Qt::KeyboardModifiers /*modifiers*/) const override { return true; }
    /// The areas of ranks that are apart, and of the line of ranks that are alike, in logical pixels.
    [[nodiscard]] QRect apartArea() const;
    [[nodiscard]] QRect alikeArea() const;
    /// The ranks that share a line of pixels: [first, last) of StepMapRows::apart.
    [[nodiscard]] std::pair<std::size_t, std::size_t> ranksAt(int line) const;
    [[nodiscard]] int columnAt(int x) const;
    [[nodiscard]] QString rankText(std::size_t rank) const;
    void paintNames(QPainter& painter) const;
    void paintHot(QPainter& painter) const;

    std::shared_ptr<const StepTable> map_;
    StepMapMeasure measure_ = StepMapMeasure::Compute;
    std::shared_ptr<const Made> made_;
    LatestJob job_;
};

}  // namespace rankscope::ui
