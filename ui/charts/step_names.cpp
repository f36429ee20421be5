// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/step_names.h"

#include <QAbstractSeries>
#include <QFontMetricsF>
#include <algorithm>
#include <utility>

namespace rankscope::ui {
namespace {

constexpr double kBetweenSteps = 6;  // pixels, at least, from name to name

}  // namespace

StepNames::StepNames(QChart& chart, QAbstractSeries& of, Words words, const QFont& font, const QColor& color)
    : WordsBelowAxis(chart, font, color, 0), of_(of), words_(std::move(words)) {}

// The title is at the left of the axis.
QRectF StepNames::boundingRect() const {
    QRectF line = WordsBelowAxis::boundingRect();
    line.setLeft(0);
    line.setRight(std::max(line.right(), chart().size().width()));
    return words_.below_names ? line.translated(0, line.height()) : line;
}

double StepNames::xOf(double bar) const {
    return chart().mapToPosition(QPointF(bar, 0), &of_).x();
}

double StepNames::middleOf(const StepBars& step) const {
    return (xOf(static_cast<double>(step.first)) + xOf(static_cast<double>(step.last))) / 2;
}

double StepNames::roomOf(const StepBars& step) const {
    return xOf(static_cast<double>(step.last) + 1) - xOf(static_cast<double>(step.first) - 1) - kBetweenSteps;
}

double StepNames::widthOf(const QString& words) const {
    return QFontMetricsF(font()).horizontalAdvance(words);
}

std::vector<WordsBelowAxis::Placed> StepNames::placed() const {
    if (std::vector<Placed> all = whole(); !all.empty()) {
        return all;
    }
    for (const std::size_t every : {1U, 2U, 5U, 10U, 20U, 50U, 100U, 200U, 500U}) {
        if (std::vector<Placed> some = shorter(every); !some.empty()) {
            return some;
        }
    }
    return {};
}

std::vector<WordsBelowAxis::Placed> StepNames::whole() const {
    std::vector<Placed> placed;
    for (const StepBars& step : words_.steps) {
        if (widthOf(step.name) > roomOf(step)) {
            return {};
        }
        placed.push_back({middleOf(step), step.name});
    }
    return placed;
}

std::vector<WordsBelowAxis::Placed> StepNames::shorter(std::size_t every) const {
    const double end = boundingRect().right();
    std::vector<Placed> placed;
    double taken = 0;
    for (const StepBars& step : words_.steps) {
        const bool abridged = !step.shortest.isEmpty() && widthOf(step.shorter) > roomOf(step);
        const QString& words = abridged ? step.shortest : step.shorter;
        const double half = widthOf(words) / 2;
        const double middle = middleOf(step);
        if (step.counted ? step.at % every != 0 : 2 * half > roomOf(step)) {
            continue;
        }
        if (middle - half < taken && !placed.empty()) {
            return {};
        }
        if (middle - half >= 0 && middle + half <= end) {  // otherwise it would be cut at the edge of the chart
            placed.push_back({middle, words});
            taken = middle + half + kBetweenSteps;
        }
    }
    if (!placed.empty()) {
        const double before = placed.front().middle - widthOf(placed.front().words) / 2;
        const double half = widthOf(words_.title) / 2;
        const double right = std::min(before, chart().plotArea().left()) - kBetweenSteps;
        if (right >= 2 * half) {
            placed.insert(placed.begin(), Placed{right - half, words_.title});
        }
    }
    return placed;
}

}  // namespace rankscope::ui
