// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChart>
#include <QColor>
#include <QFont>
#include <QGraphicsItem>
#include <QString>
#include <vector>

namespace rankscope::ui {

/// Words in one line below the plot of a chart, instead of the labels of Qt's axis. It belongs to the chart.
class WordsBelowAxis : public QGraphicsItem {
  public:
    /// The words may be up to `beyond` pixels past both ends of the axis.
    WordsBelowAxis(QChart& chart, const QFont& font, const QColor& color, double beyond);

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
    /// The words that fit now, from the left.
    [[nodiscard]] std::vector<QString> shown() const;

  protected:
    struct Placed {
        double middle = 0;
        QString words;
    };
    /// The drawn words, from the left.
    [[nodiscard]] virtual std::vector<Placed> placed() const = 0;
    [[nodiscard]] QChart& chart() const { return chart_; }
    [[nodiscard]] const QFont& font() const { return font_; }

  private:
    QChart& chart_;
    QFont font_;
    QColor color_;
    double beyond_;
};

}  // namespace rankscope::ui
