// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/diagnosis/evidence/rank_measures.h"
#include "ui/panels/communication/grid_cells.h"
#include "ui/panels/shared/painted_cells.h"

class QFontMetricsF;

namespace rankscope::ui {

/// The content of a map of the grid. Made on a thread, and kept while it is shown.
struct GridPicture {
    std::shared_ptr<const AnalysedRun> of;
    GridCells cells;
    RankMeasure measure = RankMeasure::Lateness;
    std::optional<Role> role;  ///< for RankMeasure::ExposedCommunication: only of groups of this role
    RankValues shown;          ///< the values that colour the cells
    std::array<RankValues, kRankMeasureCount> values;  ///< by RankMeasure, for details about a cell
};

/// A value of a measure for people: "3.2 ms", "41.0 GB".
[[nodiscard]] QString measureText(RankMeasure measure, std::int64_t value);
/// What the colours mean: "Exposed communication: tensor".
[[nodiscard]] QString measureTitle(RankMeasure measure, std::optional<Role> role);

/// The ranks of a job as cells along the dimensions of its grid, coloured by a measure; ranks without a file are drawn
/// as missing. A cell is an index in GridCells::cells, and leads to its rank.
class GridMap : public PaintedCells<std::size_t> {
    Q_OBJECT

  public:
    explicit GridMap(const Theme& theme, QWidget* parent = nullptr);

    /// Replaces what is shown; nullptr: nothing.
    void setPicture(std::shared_ptr<const GridPicture> picture);
    /// Outlines the cell of the rank that is selected elsewhere; nothing: none.
    void setSelected(std::optional<RankPosition> rank);
    /// Outlines the cells of these ranks together: the members of a group.
    void setMembers(std::vector<RankPosition> ranks);

    /// The place of a cell in the widget.
    [[nodiscard]] QRectF placeOf(std::size_t cell) const;
    [[nodiscard]] std::optional<std::size_t> cellAt(const QPointF& at) const override;
    [[nodiscard]] QString tipOf(const std::size_t& cell) const override;
    /// The words in a cell, as far as they fit: the rank's number, and its value below.
    [[nodiscard]] QStringList wordsIn(std::size_t cell) const;

    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override;
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;
    [[nodiscard]] QSize sizeHint() const override;

  Q_SIGNALS:
    /// The user wants to see a rank on the timeline.
    void rankActivated(rankscope::RankPosition rank);

  private:
    [[nodiscard]] bool empty() const override { return block_places_.empty(); }
    void layOut() override;
    void draw(QPainter& painter) const override;
    void drawOver(QPainter& painter) const override;
    /// The next cell in a direction, by its position on screen; before the first arrow the selected one.
    [[nodiscard]] std::optional<std::size_t> next(int key) const override;
    void activate(const std::size_t& cell) override;
    [[nodiscard]] bool leads(const std::size_t& cell) const override;
    [[nodiscard]] QRect tipPlace(const QPointF& at) const override;
    void drawCell(QPainter& painter, std::size_t cell) const;
    void drawWords(QPainter& painter, const QRectF& place, std::size_t cell) const;
    /// How the values of ranks are written in their cells: the same for all, since the widest is usually the largest.
    enum class Values : std::uint8_t { Whole, Rounded, None };
    [[nodiscard]] Values valuesWithRoom() const;
    [[nodiscard]] QString valueText(RankPosition rank, bool rounded) const;
    /// The width of the widest rank number, in logical pixels. Either all cells show their numbers, or none does: a map
    /// with some of them would look as if the others had no rank.
    [[nodiscard]] double widestNumber(const QFontMetricsF& metrics) const;
    void drawTitles(QPainter& painter) const;
    /// Draws the places above the columns and beside the rows of a block whose cells begin at `corner`.
    void drawColumns(QPainter& painter, const QPointF& corner) const;
    void drawRows(QPainter& painter, const QPointF& corner) const;
    /// The title of a row: its place in the vertical dimension.
    [[nodiscard]] QString rowTitle(int row) const;
    [[nodiscard]] std::optional<std::size_t> cellOf(RankPosition rank) const;
    [[nodiscard]] std::size_t nextCell(std::size_t from, int key) const;
    [[nodiscard]] QString nameOf(std::size_t cell) const;

    std::shared_ptr<const GridPicture> picture_;
    std::vector<QPointF> block_places_;  // top left corner of the cells of each block
    QSizeF cell_;                        // the distance from one cell to the next
    double places_ = 0;                  // height of the places above the first line of blocks
    Values values_ = Values::None;
    int per_line_ = 1;  // number of blocks per line
    std::optional<RankPosition> selected_;
    std::vector<RankPosition> members_;
};

}  // namespace rankscope::ui
