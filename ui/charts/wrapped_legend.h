// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QChart>
#include <QColor>
#include <QFont>
#include <QGraphicsItem>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <vector>

namespace rankscope::ui {

/// The legend of a chart, in as many lines as its names need. It replaces Qt's, which has one line above a chart and
/// cuts names; if they fit into one line, Qt's stays. It belongs to the chart.
class WrappedLegend : public QGraphicsItem {
  public:
    /// An entry of the legend.
    struct Part {
        QString name;
        QBrush brush;
    };

    explicit WrappedLegend(QChart& chart);

    /// Shows these entries within `width` pixels; none: Qt's legend.
    void setParts(std::vector<Part> parts, double width, const QFont& font, const QColor& color);
    /// The names as shown, a list per line; empty while Qt's legend is shown.
    [[nodiscard]] std::vector<QStringList> lines() const;

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

  private:
    [[nodiscard]] double lineHeight() const;
    [[nodiscard]] double widthOf(const Part& part) const;
    [[nodiscard]] double widthOf(const std::vector<std::size_t>& line) const;

    QChart& chart_;
    std::vector<Part> parts_;
    std::vector<std::vector<std::size_t>> lines_;  // indices in parts_; empty while Qt's legend is shown
    QFont font_;
    QColor color_;
};

}  // namespace rankscope::ui
