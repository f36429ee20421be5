// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "ui/panels/network/network_graph.h"
#include "ui/panels/shared/painted_cells.h"

namespace rankscope::ui {

/// The ranks of a communicator as circles, grouped by host, with the edges of one of its shapes. A cell is an index in
/// NetworkGraph::ranks. The edges of the current rank, or of the one under the pointer, are drawn thicker.
class NetworkMap : public PaintedCells<std::size_t> {
    Q_OBJECT

  public:
    explicit NetworkMap(const Theme& theme, QWidget* parent = nullptr);

    /// Shows one of the shapes of a graph; nullptr: nothing. Without shapes it shows the ranks alone.
    void setGraph(std::shared_ptr<const NetworkGraph> graph, std::size_t shape);

    /// The place of a rank in the widget.
    [[nodiscard]] QRectF placeOf(std::size_t rank) const;
    /// The line of an edge of the shape, from rank to rank.
    [[nodiscard]] QPainterPath lineOf(const GraphEdge& edge) const;
    [[nodiscard]] std::optional<std::size_t> cellAt(const QPointF& at) const override;
    [[nodiscard]] QString tipOf(const std::size_t& cell) const override;

    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override;
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;
    [[nodiscard]] QSize sizeHint() const override;

  private:
    [[nodiscard]] bool empty() const override { return centres_.empty(); }
    void layOut() override;
    void draw(QPainter& painter) const override;
    void drawOver(QPainter& painter) const override;
    [[nodiscard]] std::optional<std::size_t> next(int key) const override;
    void activate(const std::size_t& /*cell*/) override {}
    [[nodiscard]] bool leads(const std::size_t& /*cell*/) const override { return false; }
    [[nodiscard]] std::optional<QPoint> tipOfKeys(const std::size_t& cell) const override;
    [[nodiscard]] const std::vector<GraphEdge>& edges() const;
    /// Places the ranks of a host around the middle of its box.
    void placeRanks(const GraphHost& host, const QRectF& box);
    void drawBoxes(QPainter& painter) const;
    void drawEdge(QPainter& painter, const GraphEdge& edge, double scale) const;
    /// Draws many ranks in a frame's time: without curves inside hosts, arrows and numbers.
    void drawTiny(QPainter& painter) const;
    /// Whether ranks are too small for anything but their places.
    [[nodiscard]] bool isTiny() const;
    void drawRank(QPainter& painter, std::size_t rank, bool is_marked) const;
    [[nodiscard]] QString nameOf(std::size_t rank) const;
    [[nodiscard]] QStringList edgeLines(std::size_t rank) const;

    std::shared_ptr<const NetworkGraph> graph_;
    std::size_t shape_ = 0;
    std::vector<QRectF> boxes_;     // by host
    std::vector<QPointF> centres_;  // by rank
    std::vector<std::size_t> host_of_;
    double radius_ = 0;  // of a rank
    double title_ = 0;   // height of a host's name; 0: no room
};

}  // namespace rankscope::ui
