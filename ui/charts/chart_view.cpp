// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_view.h"

#include <QAbstractAxis>
#include <QChart>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLogValueAxis>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

constexpr double kRing = 8.0;        // pixels around the item with the keyboard focus
constexpr double kTitleShare = 0.5;  // share of the height for the title of a vertical axis

// Heights in lines of an axis's text.
constexpr double kTitlesFrom = 8.6;  // from this height of the view on, the axis below shows its title
constexpr double kBesidePlot = 3.6;  // the legend, and the labels below
constexpr double kTitle = 1.4;
constexpr double kLabel = 1.15;  // height for one label of a vertical axis

/// Labels the powers of the base on a vertical axis if they fit into `height` pixels, otherwise every second, third and
/// so on: Qt replaces labels that are closer than that with dots.
void fitPowers(QLogValueAxis& axis, double height) {
    constexpr double kBase = 10;
    const double most = std::max(1.0, std::floor(height / (kLabel * QFontMetricsF(axis.labelsFont()).height())));
    const double powers = std::round(std::log10(axis.max() / axis.min()));
    axis.setBase(std::pow(kBase, std::floor(powers / most) + 1));
}

}  // namespace

ChartView::ChartView(QChart* chart) : QChartView(chart) {}

void ChartView::setItems(ChartItems items) {
    items_ = std::move(items);
    viewport()->update();
}

void ChartView::setTheme(const Theme& theme) {
    theme_ = theme;
}

void ChartView::fitTitles() {
    bool titled = false;
    for (QAbstractAxis* axis : chart()->axes(Qt::Horizontal)) {
        const bool room = height() >= kTitlesFrom * QFontMetricsF(axis->titleFont()).height();
        axis->setTitleVisible(room);
        titled = titled || (room && !axis->titleText().isEmpty());
    }
    for (QAbstractAxis* axis : chart()->axes(Qt::Vertical)) {
        const QFontMetricsF metrics(axis->titleFont());
        axis->setTitleVisible(metrics.horizontalAdvance(axis->titleText()) <= height() * kTitleShare);
        if (auto* powers = qobject_cast<QLogValueAxis*>(axis)) {
            fitPowers(*powers, height() - (kBesidePlot + (titled ? kTitle : 0)) * metrics.height());
        }
    }
}

void ChartView::resizeEvent(QResizeEvent* event) {
    fitTitles();
    QChartView::resizeEvent(event);
}

std::optional<std::size_t> ChartView::current() const {
    return current_ && *current_ < items_.count ? current_ : std::nullopt;
}

QPointF ChartView::placeOf(std::size_t item) const {
    const auto series = chart()->series();
    return series.isEmpty() ? QPointF()
                            : chart()->mapToScene(chart()->mapToPosition(items_.value(item), series.front()));
}

void ChartView::goTo(std::size_t item) {
    current_ = item;
    if (items_.bring_in_sight) {
        items_.bring_in_sight(item);
    }
    viewport()->update();
    tellContentChanged(*this);
    Q_EMIT arrived(items_.words(item), mapFromScene(placeOf(item)));
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    const auto at = current();
    const std::size_t last = items_.count == 0 ? 0 : items_.count - 1;
    switch (items_.count == 0 ? 0 : event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Down: goTo(at ? std::min(*at + 1, last) : 0); return;
        case Qt::Key_Left:
        case Qt::Key_Up: goTo(at ? *at - std::min<std::size_t>(*at, 1) : last); return;
        case Qt::Key_Home: goTo(0); return;
        case Qt::Key_End: goTo(last); return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            if (at) {
                items_.activate(*at);
                return;
            }
            break;
        default: break;
    }
    QChartView::keyPressEvent(event);
}

void ChartView::focusOutEvent(QFocusEvent* event) {
    QChartView::focusOutEvent(event);
    if (current_) {
        QToolTip::hideText();
        viewport()->update();
    }
}

void ChartView::drawForeground(QPainter* painter, const QRectF& rect) {
    QChartView::drawForeground(painter, rect);
    const auto at = current();
    if (!at || !hasFocus()) {
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(theme_.text, 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawEllipse(placeOf(*at), kRing, kRing);
    painter->restore();
}

QString ChartView::spokenContent() const {
    if (items_.count == 0) {
        return {};
    }
    const auto at = current();
    const QString count =
        plural(tr("%n item(s).", "bars or points of a chart", static_cast<int>(items_.count)), items_.count);
    return at ? tr("%1, %2 of %3.").arg(items_.words(*at)).arg(*at + 1).arg(items_.count) : count;
}

SpokenPart ChartView::spokenPart(std::size_t index) const {
    SpokenPart part;
    part.name = items_.words(index);
    const QPoint at = mapFromScene(placeOf(index)) + viewport()->pos();
    part.place = QRect(at - QPoint(4, 4), QSize(8, 8));
    part.chosen = current() == index;
    return part;
}

}  // namespace rankscope::ui
