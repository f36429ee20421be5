// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bar_names.h"

#include <QAbstractSeries>
#include <QFontMetricsF>
#include <algorithm>
#include <utility>

namespace rankscope::ui {
namespace {

constexpr double kBetween = 3;        // pixels, at least, from name to name
constexpr double kBeyondLines = 2.5;  // lines of text: as wide as half of "rank 128"

}  // namespace

BarNames::BarNames(QChart& chart, QAbstractSeries& of, std::vector<QString> names, const QFont& font,
                   const QColor& color, std::vector<QString> longer)
    : WordsBelowAxis(chart, font, color, kBeyondLines * QFontMetricsF(font).height()),
      of_(of),
      names_(std::move(names)),
      longer_(std::move(longer)) {}

std::vector<WordsBelowAxis::Placed> BarNames::placed() const {
    const auto all = std::ranges::count_if(longer_, [](const QString& name) { return !name.isEmpty(); });
    const std::vector<Placed> whole = placed(longer_);
    return !whole.empty() && std::ssize(whole) == all ? whole : placed(names_);
}

// Every name, or every second, fifth, tenth and so on, so that the gaps are even; if even that does not fit, the names
// that fit.
std::vector<WordsBelowAxis::Placed> BarNames::placed(const std::vector<QString>& names) const {
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

std::vector<WordsBelowAxis::Placed> BarNames::placed(const std::vector<QString>& names, std::size_t every,
                                                     bool& all) const {
    const QFontMetricsF metrics(font());
    const QRectF line = boundingRect();
    const double end = std::min(line.right(), chart().size().width());
    std::vector<Placed> placed;
    double taken = std::max(line.left(), 0.0);
    std::size_t of_bars = 0;  // bars since the last one without a name: the bars of a step are adjacent
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].isEmpty()) {
            of_bars = 0;
            continue;
        }
        if (of_bars++ % every != 0) {
            continue;
        }
        const double half = metrics.horizontalAdvance(names[i]) / 2;
        const double middle = chart().mapToPosition(QPointF(static_cast<double>(i), 0), &of_).x();
        if (middle - half >= taken && middle + half <= end) {
            placed.push_back({middle, names[i]});
            taken = middle + half + kBetween;
        } else {
            // The first or the last name may extend beyond the chart: it is then left out.
            all = all && (placed.empty() || middle + half > end);
        }
    }
    return placed;
}

}  // namespace rankscope::ui
