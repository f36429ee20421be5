// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/whatif/forecast_bars.h"

#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/swatches.h"
#include "ui/theme/text_scale.h"

namespace rankscope::ui {
namespace {

constexpr int kBar = 18;         // pixels, beside text of the usual size
constexpr int kBetweenBars = 4;  // pixels
constexpr int kBelow = 8;        // pixels below the forecast, for its range
constexpr int kAfterName = 10;   // pixels
constexpr double kCap = 3;       // pixels from the line of a range to the end of its caps
constexpr double kFaded = 0.45;  // opacity of a bar that is out of date

QString measuredName() {
    return QObject::tr("Measured", "a step");
}
QString forecastName() {
    return QObject::tr("Forecast", "a step");
}

/// The parts without a negative one, which the idle time, and then the others, make up for.
StepParts drawable(StepParts parts) {
    DurationNs less_ns = std::max<DurationNs>(0, -parts.added_ns);
    parts.added_ns = std::max<DurationNs>(0, parts.added_ns);
    for (DurationNs* part : {&parts.idle_ns, &parts.exposed_copy_ns, &parts.exposed_comm_ns, &parts.compute_ns}) {
        const DurationNs taken_ns = std::clamp<DurationNs>(less_ns, 0, std::max<DurationNs>(0, *part));
        *part -= taken_ns;
        less_ns -= taken_ns;
    }
    return parts;
}

}  // namespace

std::vector<BarPart> barOf(const StepParts& parts, const Theme& theme) {
    const StepParts shown = drawable(parts);
    std::vector<BarPart> bar;
    const auto add = [&bar](DurationNs ns, const QColor& colour, const QString& name, bool is_waste) {
        if (ns > 0) {
            bar.push_back({ns, colour, namedTime(name, ns), is_waste});
        }
    };
    add(shown.compute_ns, colourOf(Swatch::Compute, theme), QObject::tr("compute"), false);
    add(shown.exposed_comm_ns, colourOf(Swatch::Communication, theme), QObject::tr("exposed communication"), false);
    add(shown.exposed_copy_ns, colourOf(Swatch::Copy, theme), QObject::tr("exposed copies"), false);
    add(shown.idle_ns, colourOf(Swatch::Idle, theme), QObject::tr("idle"), true);
    add(shown.added_ns, theme.text_dim, QObject::tr("cost of the change"), false);
    return bar;
}

ForecastBars::ForecastBars(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setAccessibleName(tr("Measured and forecast step"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ForecastBars::setForecast(std::optional<Forecast> forecast) {
    forecast_ = std::move(forecast);
    outdated_ = false;
    updateGeometry();
    update();
    tellContentChanged(*this);
}

void ForecastBars::setOutdated(bool outdated) {
    if (std::exchange(outdated_, outdated) != outdated) {
        update();
    }
}

void ForecastBars::setTheme(const Theme& theme) {
    theme_ = theme;
    updateGeometry();
    update();
}

bool ForecastBars::hasChanges() const {
    return forecast_ && !forecast_->changes.empty();
}

double ForecastBars::barHeight() const {
    return scaled(kBar, theme_);
}

double ForecastBars::nameWidth() const {
    const QFontMetrics metrics(font());
    return std::max(metrics.horizontalAdvance(measuredName()), metrics.horizontalAdvance(forecastName())) + kAfterName;
}

/// The longer of both steps, or the end of the range, fills the width.
double ForecastBars::widthOf(DurationNs ns) const {
    const auto longest = static_cast<double>(std::max<DurationNs>({1, forecast_->step_ns, forecast_->high_ns}));
    return std::max(0.0, width() - nameWidth() - kCap) * static_cast<double>(ns) / longest;
}

QRectF ForecastBars::barPlace(int row, DurationNs length_ns) const {
    return {nameWidth(), row * (barHeight() + kBetweenBars), widthOf(length_ns), barHeight()};
}

QRectF ForecastBars::measuredPlace() const {
    return forecast_ ? barPlace(0, forecast_->step_ns) : QRectF();
}

QRectF ForecastBars::forecastPlace() const {
    return hasChanges() ? barPlace(1, forecast_->forecast_ns) : QRectF();
}

QRectF ForecastBars::rangePlace() const {
    if (!hasChanges()) {
        return {};
    }
    const double left = nameWidth() + widthOf(forecast_->low_ns);
    const double right = nameWidth() + widthOf(forecast_->high_ns);
    const double middle = forecastPlace().bottom() + kBelow - kCap - 1;
    return {left, middle - kCap, std::max(1.0, right - left), 2 * kCap};
}

QSize ForecastBars::sizeHint() const {
    return {240, static_cast<int>(2 * barHeight()) + kBetweenBars + kBelow};  // with one bar too: nothing moves
}

std::vector<ForecastBars::Placed> ForecastBars::placed() const {
    std::vector<Placed> all;
    const auto add = [&all](const QRectF& area, std::vector<BarPart> parts) {
        const std::vector<QRectF> places = placesOfParts(area, parts);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            all.push_back({std::move(parts[i]), places[i]});
        }
    };
    if (forecast_) {
        add(measuredPlace(), barOf(forecast_->before, theme_));
    }
    if (hasChanges()) {
        add(forecastPlace(), barOf(forecast_->after, theme_));
    }
    return all;
}

QString ForecastBars::spokenContent() const {
    if (!forecast_) {
        return {};
    }
    QString words = tr("Measured: %1.").arg(duration(forecast_->step_ns));
    if (hasChanges()) {
        words += QLatin1Char(' ') +
                 tr("Forecast: %1, from %2 to %3.")
                     .arg(duration(forecast_->forecast_ns), duration(forecast_->low_ns), duration(forecast_->high_ns));
    }
    return words;
}

std::size_t ForecastBars::spokenParts() const {
    return placed().size();
}

SpokenPart ForecastBars::spokenPart(std::size_t index) const {
    const std::vector<Placed> all = placed();
    if (index >= all.size()) {
        return {};
    }
    const Placed& part = all[index];
    const bool of_forecast = part.place.top() > 0;
    return {.name = part.part.what,
            .about = of_forecast ? forecastName() : measuredName(),
            .place = part.place.toAlignedRect(),
            .unfolded = {}};
}

void ForecastBars::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
    }
}

void ForecastBars::paintRange(QPainter& painter) const {
    const QRectF range = rangePlace();
    const double middle = range.center().y();
    painter.setPen(QPen(theme_.text, 1.5));
    painter.drawLine(QPointF(range.left(), middle), QPointF(range.right(), middle));
    for (const double end : {range.left(), range.right()}) {
        painter.drawLine(QPointF(end, range.top()), QPointF(end, range.bottom()));
    }
}

void ForecastBars::paintEvent(QPaintEvent* event) {
    (void)event;
    if (!forecast_) {
        return;
    }
    QPainter painter(this);
    const auto name = [&](const QRectF& bar, const QString& words) {
        painter.setPen(theme_.text_dim);
        painter.drawText(QRectF(0, bar.top(), nameWidth(), bar.height()), Qt::AlignLeft | Qt::AlignVCenter, words);
    };
    name(measuredPlace(), measuredName());
    paintStackedBar(painter, measuredPlace(), barOf(forecast_->before, theme_), theme_.surface);
    if (!hasChanges()) {
        const QRectF row = barPlace(1, forecast_->step_ns);
        name(row, forecastName());
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, tr("Turn on a change, or click on one in the chart."));
    } else {
        name(forecastPlace(), forecastName());
        painter.setOpacity(outdated_ ? kFaded : 1);
        paintStackedBar(painter, forecastPlace(), barOf(forecast_->after, theme_), theme_.surface);
        paintRange(painter);
    }
}

bool ForecastBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    QString words;
    for (const Placed& part : placed()) {
        if (part.place.contains(help->pos())) {
            words = part.part.what;
        }
    }
    if (words.isEmpty() && rangePlace().adjusted(0, -2, 0, 2).contains(help->pos())) {
        words =
            tr("The step then takes %1 to %2 (90 %)").arg(duration(forecast_->low_ns), duration(forecast_->high_ns));
    }
    QToolTip::showText(help->globalPos(), plainTip(words), this);
    return true;
}

}  // namespace rankscope::ui
