// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>
#include <QPointF>
#include <QString>
#include <cstddef>
#include <functional>
#include <optional>

#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// What the keyboard steps through in a chart: its bars or its points, each by its index below `count`.
struct ChartItems {
    std::size_t count = 0;
    std::function<QString(std::size_t)> words;        ///< what pointing at it says
    std::function<QPointF(std::size_t)> value;        ///< where it is drawn, as values on the axes
    std::function<void(std::size_t)> activate;        ///< what a click on it does
    std::function<void(std::size_t)> bring_in_sight;  ///< before it is looked at; empty: all are in sight
};

/// The view of a chart, which can be walked through by the keyboard: the arrows, Home and End lead from one of its
/// items to the next, Enter does what a click on it would. What the keyboard is at is marked, and described in words.
class ChartView : public QChartView, public Spoken {
    Q_OBJECT

  public:
    explicit ChartView(QChart* chart);

    /// Takes these items in place of those before. Where the keyboard is stays, by its index.
    void setItems(ChartItems items);
    void setTheme(const Theme& theme);
    /// Shows the titles of the axes where there is room for them beside the plot: labels come first. Of a logarithmic
    /// vertical axis as many powers are named as have room. Whoever adds axes calls it after that.
    void fitTitles();
    /// The item that the keyboard is at; nothing before the first arrow.
    [[nodiscard]] std::optional<std::size_t> current() const;

    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override { return items_.count; }
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;

  Q_SIGNALS:
    /// The keyboard has come to an item, of which this is said, at a place in the viewport.
    void arrived(const QString& words, const QPoint& at);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

  private:
    void goTo(std::size_t item);
    [[nodiscard]] QPointF placeOf(std::size_t item) const;

    ChartItems items_;
    std::optional<std::size_t> current_;
    Theme theme_;
};

}  // namespace rankscope::ui
