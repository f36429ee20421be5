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

/// The legend of a chart in as many lines as its names need, in the place of Qt's, which has one line above a chart and
/// cuts them. Where they fit into one, Qt's stays. It belongs to the chart.
class WrappedLegend : public QGraphicsItem {
  public:
    /// What a name is of.
    struct Part {
        QString name;
        QBrush brush;
    };

    explicit WrappedLegend(QChart& chart);

    /// Names these parts in `width` pixels; none: Qt's legend.
    void setParts(std::vector<Part> parts, double width, const QFont& font, const QColor& color);
    /// The names as shown, a list for each line; none while Qt's legend is shown.
    [[nodiscard]] std::vector<QStringList> lines() const;

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

  private:
    [[nodiscard]] double lineHeight() const;
    [[nodiscard]] double widthOf(const Part& part) const;
    [[nodiscard]] double widthOf(const std::vector<std::size_t>& line) const;

    QChart& chart_;
    std::vector<Part> parts_;
    std::vector<std::vector<std::size_t>> lines_;  // of parts_; none while Qt's legend is shown
    QFont font_;
    QColor color_;
};

}  // namespace rankscope::ui
