// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bar_names.h"

#include <QAbstractSeries>
#include <QChart>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <utility>

namespace rankscope::ui {
namespace {

constexpr double kBelow = 4;    // pixels from the axis
constexpr double kBetween = 3;  // at least, from name to name

}  // namespace

BarNames::BarNames(QChart& chart, QAbstractSeries& of, std::vector<QString> names, const QFont& font,
                   const QColor& color, std::vector<QString> longer)
    : QGraphicsItem(&chart),
      chart_(chart),
      of_(of),
      names_(std::move(names)),
      longer_(std::move(longer)),
      font_(font),
      color_(color) {}

QRectF BarNames::boundingRect() const {
    const QRectF plot = chart_.plotArea();
    return {plot.left(), plot.bottom() + kBelow, plot.width(), QFontMetricsF(font_).height()};
}

std::vector<BarNames::Placed> BarNames::placed() const {
    const auto all = std::ranges::count_if(longer_, [](const QString& name) { return !name.isEmpty(); });
    const std::vector<Placed> whole = placed(longer_);
    return !whole.empty() && std::ssize(whole) == all ? whole : placed(names_);
}

// Every name, or every second, fifth, tenth and so on, so that the holes are alike; where not even that has room, what
// has.
std::vector<BarNames::Placed> BarNames::placed(const std::vector<QString>& names) const {
    for (const std::size_t every : {1U, 2U, 5U, 10U, 20U, 50U, 100U, 200U, 500U}) {
        bool all = true;
        std::vector<Placed> some = placed(names, every, all);
        if (all) {
            return some;
        }
    }
    bool all = true;
    return placed(names, 1, all);
}

std::vector<BarNames::Placed> BarNames::placed(const std::vector<QString>& names, std::size_t every, bool& all) const {
    const QFontMetricsF metrics(font_);
    std::vector<Placed> placed;
    double taken = chart_.plotArea().left();
    std::size_t of_bars = 0;  // since the last bar without a name: those of a step stand together
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].isEmpty()) {
            of_bars = 0;
            continue;
        }
        if (of_bars++ % every != 0) {
            continue;
        }
        const double half = metrics.horizontalAdvance(names[i]) / 2;
        const double middle = chart_.mapToPosition(QPointF(static_cast<double>(i), 0), &of_).x();
        if (middle - half >= taken) {
            placed.push_back({middle, names[i]});
            taken = middle + half + kBetween;
        } else {
            all = all && placed.empty();  // the first may reach beyond the edge: it is left out
        }
    }
    return placed;
}

std::vector<QString> BarNames::shown() const {
    std::vector<QString> names;
    for (const Placed& each : placed()) {
        names.push_back(each.name);
    }
    return names;
}

void BarNames::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) {
    const QRectF line = boundingRect();
    painter->setFont(font_);
    painter->setPen(color_);
    for (const Placed& each : placed()) {
        const double width = QFontMetricsF(font_).horizontalAdvance(each.name) + 1;
        painter->drawText(QRectF(each.middle - width / 2, line.top(), width, line.height()), Qt::AlignCenter,
                          each.name);
    }
}

}  // namespace rankscope::ui
