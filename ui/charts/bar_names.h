// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QGraphicsItem>
#include <QString>
#include <vector>

class QAbstractSeries;
class QChart;

namespace rankscope::ui {

/// The names of the bars of a chart in one line right below them; where they are too long for their bars, as many as
/// have room. The labels of the axis below must leave that line free. It belongs to the chart, and Qt's axes are no
/// use for it: the same name stands under several bars.
class BarNames : public QGraphicsItem {
  public:
    /// `names` from the first bar on; an empty one is left out. `of` places the bars.
    BarNames(QChart& chart, QAbstractSeries& of, std::vector<QString> names, const QFont& font, const QColor& color);

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
    /// The names that have room now, as they stand from the left.
    [[nodiscard]] std::vector<QString> shown() const;

  private:
    struct Placed {
        double middle = 0;
        QString name;
    };
    /// Those that have room, from the left.
    [[nodiscard]] std::vector<Placed> placed() const;

    QChart& chart_;
    QAbstractSeries& of_;
    std::vector<QString> names_;
    QFont font_;
    QColor color_;
};

}  // namespace rankscope::ui
