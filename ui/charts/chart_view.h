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

/// What the keyboard walks through in a chart: its bars or its points, each by its index below `count`.
struct ChartItems {
    std::size_t count = 0;
    std::function<QString(std::size_t)> words;        ///< the text when the pointer is on it
    std::function<QPointF(std::size_t)> value;        ///< its position, as values on the axes
    std::function<void(std::size_t)> activate;        ///< what a click on it does
    std::function<void(std::size_t)> bring_in_sight;  ///< scrolls to it; empty: all items are in view
};

/// The view of a chart, with keyboard access: the arrows, Home and End move between its items, Enter does what a click
/// on the item does. The current item is marked, and described in words.
class ChartView : public QChartView, public Spoken {
    Q_OBJECT

  public:
    explicit ChartView(QChart* chart);

    /// Replaces the items. The keyboard stays at its index.
    void setItems(ChartItems items);
    void setTheme(const Theme& theme);
    /// Shows the titles of the axes if they fit beside the plot: labels come first. On a logarithmic vertical axis as
    /// many powers are named as fit. Call it after adding axes.
    void fitTitles();
    /// The current item of the keyboard; nothing before the first arrow.
    [[nodiscard]] std::optional<std::size_t> current() const;

    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override { return items_.count; }
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;

  Q_SIGNALS:
    /// The keyboard has moved to an item; `words` describe it, `at` is in the viewport.
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
