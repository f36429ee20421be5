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

/// All steps of all ranks as cells: a row a rank, the furthest above what is usual on top, those that are alike as one
/// row below; a column a step. More ranks than there is room for share lines of pixels, each as hot as its hottest. The
/// picture is made on a thread. A cell leads to its step.
class StepMapView : public PaintedCells<StepMapCell> {
    Q_OBJECT

  public:
    using Cell = StepMapCell;

    explicit StepMapView(const Theme& theme, QWidget* parent = nullptr);

    /// Shows this in place of what was shown, by one measure; nullptr: nothing. shown() follows.
    void setMap(std::shared_ptr<const StepTable> map, StepMapMeasure measure);
    /// How it is read; nullptr while that is worked out.
    [[nodiscard]] const StepMapRows* rows() const { return made_ ? &made_->rows : nullptr; }
    /// Where a rank's step is drawn, or the line that has it.
    [[nodiscard]] QRect placeOf(const Cell& cell) const;
    /// The hottest rank of the line at a point, and the step there; nothing beside the cells.
    [[nodiscard]] std::optional<Cell> cellAt(const QPointF& at) const override;
    [[nodiscard]] QString tipOf(const Cell& cell) const override;
    /// Whether cells are large enough for the hottest of them to be striped.
    [[nodiscard]] bool striped() const;
    [[nodiscard]] bool busy() const { return job_.busy(); }

    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override;
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;
    [[nodiscard]] QSize sizeHint() const override;

  Q_SIGNALS:
    /// Another picture is shown.
    void shown();
    /// The user wants to see a step, by its number, of a rank.
    void cellActivated(rankscope::RankNumber rank, std::int64_t step);

  protected:
    void mouseMoveEvent(QMouseEvent* event) override { QWidget::mouseMoveEvent(event); }  // the pointer stays an arrow

  private:
    /// What is shown: made on a thread.
    struct Made {
        std::shared_ptr<const StepTable> map;
        StepMapRows rows;
        QImage picture;  ///< a line of pixels for each of the cells' lines; a column for each step
        /// By line of the ranks that are apart and by step: whether the cell is to be striped.
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
    /// Of ranks that are apart, and of the line of those that are alike, in logical pixels.
    [[nodiscard]] QRect apartArea() const;
    [[nodiscard]] QRect alikeArea() const;
    /// The ranks of a line of pixels of the ranks that are apart: [first, last) of StepMapRows::apart.
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
