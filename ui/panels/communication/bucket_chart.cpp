// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/bucket_chart.h"

#include <QAbstractAxis>
#include <QChart>
#include <QEvent>
#include <QFontMetricsF>
#include <QLegendMarker>
#include <QLineSeries>
#include <QScatterSeries>
#include <QStringList>
#include <QToolTip>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/charts/bar_names.h"
#include "ui/charts/chart_look.h"
#include "ui/charts/run_chart.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {

BucketChart::BucketChart(const Theme& theme, QWidget* parent) : RunChart(tr("Bucket sizes"), theme, parent) {}

void BucketChart::refresh() {
    delete std::exchange(names_, nullptr);  // before the points that it belongs to
    RunChart::refresh();
    keepTitles(*this);
    fitTitle();
}

bool BucketChart::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view().viewport() && event->type() == QEvent::Resize) {
        fitTitle();
    }
    return RunChart::eventFilter(watched, event);
}

void BucketChart::fitTitle() {
    constexpr double kAroundAxis = 6;  // lines: the legend, the sizes and their title, and spacing
    const auto axes = chart().axes(Qt::Vertical);
    if (axes.isEmpty()) {
        return;
    }
    QAbstractAxis& up = *axes.constFirst();
    const QFontMetricsF metrics(up.titleFont());
    const QString whole = tr("step in %1", "a unit").arg(unit_);
    const double room = view().height() - kAroundAxis * metrics.height();
    up.setTitleText(metrics.horizontalAdvance(whole) <= room ? whole : unit_);
    view().fitTitles();
}

QString BucketChart::fill() {
    if (!run().diagnosis.buckets) {
        return tr("No DDP gradient buckets here. Record all ranks of a DDP job.");
    }
    if (forecast().caps.empty()) {
        return tr("The effect of other sizes is unknown.") + QLatin1Char(' ') + coreText(forecast().reason);
    }
    DurationNs least_ns = forecast().step_ns;
    DurationNs most_ns = forecast().step_ns;
    std::vector<QString> sizes;
    for (const BucketCap& cap : forecast().caps) {
        least_ns = std::min(least_ns, cap.step_ns - cap.error_ns.value_or(0));
        most_ns = std::max(most_ns, cap.step_ns + cap.error_ns.value_or(0));
        sizes.push_back(QString::number(cap.mb));
    }
    const TimeUnit unit = timeUnitFor(most_ns);
    QValueAxis* across = makeNumberAxis(0, static_cast<double>(sizes.size()) - 1, QStringLiteral(" "), theme());
    dressAxis(*across, theme(), QStringLiteral("bucket_cap_mb"));
    auto* up = new QValueAxis;
    const double room = 0.1 * static_cast<double>(std::max<DurationNs>(most_ns - least_ns, most_ns / 50));
    up->setRange(std::max(0.0, static_cast<double>(least_ns) - room) / unit.ns,
                 (static_cast<double>(most_ns) + room) / unit.ns);
    up->setTickCount(4);
    up->setLabelFormat(QStringLiteral("%.4g"));
    up->applyNiceNumbers();
    unit_ = unit.name;
    dressAxis(*up, theme(), unit_);
    drawToday(unit.ns, *across, *up);
    drawErrors(unit.ns, *across, *up);
    for (const bool best : {false, true}) {
        drawSteps(best, unit.ns, *across, *up);
    }
    names_ = new BarNames(chart(), *chart().series().front(), std::move(sizes), smallFont(theme()), theme().text_dim);
    offer({.count = forecast().caps.size(),
           .words = [this](std::size_t i) { return words(forecast().caps[i]); },
           .value =
               [this, ns = unit.ns](std::size_t i) {
                   return QPointF(static_cast<double>(i), static_cast<double>(forecast().caps[i].step_ns) / ns);
               },
           .activate = [this](std::size_t) { Q_EMIT findingAsked(); },
           .bring_in_sight = {}});
    return {};
}

void BucketChart::drawToday(double unit_ns, QValueAxis& across, QValueAxis& up) {
    auto* today = new QLineSeries;
    today->setName(tr("today: %1").arg(duration(forecast().step_ns)));
    today->setPen(QPen(theme().text, 1.5, Qt::DashLine));
    const double at = static_cast<double>(forecast().step_ns) / unit_ns;
    today->append(-0.5, at);
    today->append(static_cast<double>(forecast().caps.size()) - 0.5, at);
    connect(today, &QLineSeries::hovered, this, [this, words = today->name()](const QPointF& /*at*/, bool over) {
        over ? tell(words) : QToolTip::hideText();
    });
    add(today, &across, &up);
}

void BucketChart::drawErrors(double unit_ns, QValueAxis& across, QValueAxis& up) {
    constexpr double kCap = 0.06;  // half the width of the line at its end, as a share of the width of a size
    for (std::size_t i = 0; i < forecast().caps.size(); ++i) {
        const BucketCap& cap = forecast().caps[i];
        if (!cap.error_ns) {
            continue;
        }
        const auto x = static_cast<double>(i);
        const double low = static_cast<double>(cap.step_ns - *cap.error_ns) / unit_ns;
        const double high = static_cast<double>(cap.step_ns + *cap.error_ns) / unit_ns;
        auto* error = new QLineSeries;
        error->setPen(QPen(theme().text_dim, 1.5));
        error->append({{x - kCap, low}, {x + kCap, low}, {x, low}, {x, high}, {x - kCap, high}, {x + kCap, high}});
        connect(error, &QLineSeries::hovered, this, [this, i](const QPointF& /*at*/, bool over) {
            over ? tell(words(forecast().caps[i])) : QToolTip::hideText();
        });
        add(error, &across, &up);
        for (QLegendMarker* marker : chart().legend()->markers(error)) {
            marker->setVisible(false);
        }
    }
}

void BucketChart::drawSteps(bool best, double unit_ns, QValueAxis& across, QValueAxis& up) {
    constexpr double kBest = 14;
    constexpr double kOther = 10;
    auto* steps = new QScatterSeries;
    for (std::size_t i = 0; i < forecast().caps.size(); ++i) {
        if ((forecast().best == i) == best) {
            steps->append(static_cast<double>(i), static_cast<double>(forecast().caps[i].step_ns) / unit_ns);
        }
    }
    if (steps->count() == 0) {
        delete steps;
        return;
    }
    steps->setName(best ? tr("advised") : tr("step ± error"));  // so that all three fit into a third of a panel
    steps->setMarkerSize(best ? kBest : kOther);
    steps->setMarkerShape(best ? QScatterSeries::MarkerShapeRotatedRectangle : QScatterSeries::MarkerShapeCircle);
    steps->setColor(best ? theme().overlap : theme().accent);
    steps->setBorderColor(theme().surface);
    const auto cap_at = [this](const QPointF& at) -> const BucketCap& {
        return forecast().caps[static_cast<std::size_t>(std::max(0L, std::lround(at.x())))];
    };
    connect(steps, &QScatterSeries::hovered, this,
            [this, cap_at](const QPointF& at, bool over) { over ? tell(words(cap_at(at))) : QToolTip::hideText(); });
    connect(steps, &QScatterSeries::clicked, this, &BucketChart::findingAsked);
    add(steps, &across, &up);
}

QString BucketChart::words(const BucketCap& cap) const {
    QStringList lines{QStringLiteral("bucket_cap_mb=%1").arg(cap.mb)};
    lines << (cap.error_ns ? tr("step %1 ± %2").arg(duration(cap.step_ns), duration(*cap.error_ns))
                           : tr("step %1, error unknown").arg(duration(cap.step_ns)));
    const DurationNs saved = forecast().step_ns - cap.step_ns;
    lines << (saved >= 0 ? tr("%1 less than today").arg(duration(saved))
                         : tr("%1 more than today").arg(duration(-saved)));
    lines << plural(tr("%n bucket(s)", nullptr, static_cast<int>(cap.buckets)), cap.buckets);
    if (forecast().best && &cap == &forecast().caps[*forecast().best]) {
        lines << tr("advised");
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace rankscope::ui
