// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/transfer_chart.h"

#include <QChart>
#include <QFontMetricsF>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <QStringList>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/format.h"
#include "core/report/tables/communication.h"
#include "ui/charts/chart_look.h"
#include "ui/charts/log_axis.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {
namespace {

QString bytesText(std::int64_t bytes) {
    return text(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes))));
}

QColor markColour(SizeMark mark, const Theme& theme) {
    switch (mark) {
        case SizeMark::LatencyBound: return theme.text_dim;
        case SizeMark::Slower: return theme.straggler;
        case SizeMark::Faster: return theme.overlap;
        case SizeMark::OnLine: break;
    }
    return colourOf(Swatch::Communication, theme);
}

/// Distinguished not only by colour.
QScatterSeries::MarkerShape markShape(SizeMark mark) {
    switch (mark) {
        case SizeMark::LatencyBound: return QScatterSeries::MarkerShapeRectangle;
        case SizeMark::Slower: return QScatterSeries::MarkerShapeTriangle;
        case SizeMark::Faster: return QScatterSeries::MarkerShapeRotatedRectangle;
        case SizeMark::OnLine: break;
    }
    return QScatterSeries::MarkerShapeCircle;
}

}  // namespace

QString sizeMarkTitle(SizeMark mark) {
    switch (mark) {
        case SizeMark::LatencyBound: return QObject::tr("latency-bound");
        case SizeMark::Slower: return QObject::tr("over 20 % slower than the line");
        case SizeMark::Faster: return QObject::tr("over 20 % faster than the line");
        case SizeMark::OnLine: break;
    }
    return QObject::tr("measured");
}

TransferChart::TransferChart(const Theme& theme, QWidget* parent) : RunChart(tr("Transfers"), theme, parent) {}

void TransferChart::setFit(std::size_t fit, std::size_t times) {
    if (std::exchange(fit_, fit) != fit || std::exchange(times_, times) != times) {
        times_ = times;
        outdate();
    }
}

QString TransferChart::fill() {
    delete std::exchange(labels_, nullptr);  // the series that it is below is gone
    if (fit_ >= run().facts.collectives.fits.size()) {
        return coreText(report::noFitText(run()));
    }
    const std::vector<TransferSize>& sizes = fit().measured;
    DurationNs least_ns = std::max<DurationNs>(1, sizes.front().fitted_ns);
    DurationNs most_ns = sizes.back().fitted_ns;
    for (const TransferSize& size : sizes) {
        least_ns = std::min(least_ns, std::max<DurationNs>(1, size.transfer_ns));
        most_ns = std::max(most_ns, size.transfer_ns);
    }
    const TimeUnit unit = timeUnitFor(most_ns);
    const ByteUnit bytes = byteUnitFor(static_cast<double>(sizes.back().bytes));
    unit_ns_ = unit.ns;
    QLogValueAxis* across =
        makeLogAxis(static_cast<double>(std::max<std::int64_t>(1, sizes.front().bytes)) / bytes.bytes,
                    static_cast<double>(sizes.back().bytes) / bytes.bytes, QStringLiteral("%g"), theme());
    QLogValueAxis* up = makeLogAxis(static_cast<double>(least_ns) / unit.ns, static_cast<double>(most_ns) / unit.ns,
                                    QStringLiteral("%g"), theme());
    dressAxis(*up, theme(), unit.name);  // the labels of such an axis cannot contain letters beyond ASCII, such as the
                                         // µ of µs
    byte_unit_ = bytes.bytes;
    const TransferFit& line = fit();
    drawLine(tr("predicted"),
             line.tellsBandwidth()
                 ? tr("predicted: %1 and %2").arg(duration(line.latency_ns), text(formatBandwidth(line.gb_per_s * 1e9)))
                 : tr("predicted: %1, latency-bound").arg(duration(line.latency_ns)),
             theme().text, Qt::SolidLine, *across, *up,
             [line](double n) { return static_cast<double>(line.latency_ns) + n / line.gb_per_s; });
    drawPredictions(*across, *up);
    for (const SizeMark mark : {SizeMark::OnLine, SizeMark::LatencyBound, SizeMark::Slower, SizeMark::Faster}) {
        drawSizes(mark, *across, *up);
    }
    // Half of the last label extends beyond the end of the axis.
    const double label = QFontMetricsF(smallFont(theme())).horizontalAdvance(QStringLiteral("100 GB"));
    QMargins margins = chart().margins();
    margins.setRight(std::max(margins.right(), static_cast<int>(std::ceil(label / 2)) + 2));
    chart().setMargins(margins);
    labels_ = new ByteLabels(chart(), *chart().series().front(), *across, byte_unit_, theme());
    offer({.count = sizes.size(),
           .words = [this](std::size_t i) { return words(fit().measured[i]); },
           .value =
               [this](std::size_t i) {
                   const TransferSize& size = fit().measured[i];
                   return QPointF(static_cast<double>(size.bytes) / byte_unit_,
                                  static_cast<double>(size.transfer_ns) / unit_ns_);
               },
           .activate = [this](std::size_t i) { activate(fit().measured[i]); },
           .bring_in_sight = {}});
    return {};
}

// A straight line is a curve on these axes: it is drawn in short pieces.
void TransferChart::drawLine(const QString& name, const QString& about, const QColor& colour, Qt::PenStyle style,
                             QLogValueAxis& across, QLogValueAxis& up, const std::function<double(double bytes)>& ns) {
    constexpr int kPieces = 64;
    auto* line = new QLineSeries;
    line->setName(name);
    line->setPen(QPen(colour, style == Qt::SolidLine ? 2 : 1.5, style));
    for (int piece = 0; piece <= kPieces; ++piece) {
        const double at = across.min() * std::pow(across.max() / across.min(), static_cast<double>(piece) / kPieces);
        const double time = ns(at * byte_unit_) / unit_ns_;
        if (time >= up.min() && time <= up.max()) {
            line->append(at, time);
        }
    }
    if (line->count() < 2) {
        delete line;
        return;
    }
    connect(line, &QLineSeries::hovered, this, [this, about](const QPointF& at, bool over) {
        over ? tell(tr("%1\n%2 take %3")
                        .arg(about, bytesText(std::llround(at.x() * byte_unit_)),
                             duration(std::llround(at.y() * unit_ns_))))
             : QToolTip::hideText();
    });
    add(line, &across, &up);
}

void TransferChart::drawPredictions(QLogValueAxis& across, QLogValueAxis& up) {
    const std::vector<FittedLink> links = fittedLinks(run());
    const FittedLink& link = links[fit_];
    if (!report::predicts(link)) {
        return;
    }
    const std::size_t ranks = times_ * link.ranks;
    const std::optional<std::int64_t> tree_up_to = link.model->treeUpTo(ranks);
    for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree}) {
        const bool is_fitted = times_ == 1 && algorithm == link.algorithm;  // the line itself
        if (is_fitted || !costsOf(fit().kind, algorithm, ranks)) {
            continue;
        }
        const auto among = static_cast<int>(ranks);
        const QString name = algorithm == Algorithm::Ring ? tr("ring on %1").arg(among) : tr("tree on %1").arg(among);
        QString about = name;
        if (algorithm == Algorithm::Tree) {
            about = tree_up_to ? tr("%1, faster up to %2").arg(name, bytesText(*tree_up_to))
                               : tr("%1, never faster").arg(name);
        }
        drawLine(name, about, algorithm == Algorithm::Ring ? theme().accent : theme().gap, Qt::DashLine, across, up,
                 [model = *link.model, kind = fit().kind, algorithm, ranks](double n) {
                     return static_cast<double>(model.predict(kind, algorithm, ranks, std::llround(n)).value_or(0));
                 });
    }
}

void TransferChart::drawSizes(SizeMark mark, QLogValueAxis& across, QLogValueAxis& up) {
    constexpr double kDot = 10;
    std::vector<std::size_t> drawn;
    auto* series = new QScatterSeries;
    for (std::size_t i = 0; i < fit().measured.size(); ++i) {
        const TransferSize& size = fit().measured[i];
        if (size.mark == mark && size.bytes > 0 && size.transfer_ns > 0) {
            drawn.push_back(i);
            series->append(static_cast<double>(size.bytes) / byte_unit_,
                           static_cast<double>(size.transfer_ns) / unit_ns_);
        }
    }
    if (drawn.empty()) {
        delete series;
        return;
    }
    series->setName(sizeMarkTitle(mark));
    series->setMarkerShape(markShape(mark));
    series->setMarkerSize(kDot);
    series->setColor(markColour(mark, theme()));
    series->setBorderColor(theme().surface);
    const auto at = [this, drawn](const QPointF& value) -> const TransferSize& {
        const double bytes = value.x() * byte_unit_;
        return fit().measured[*std::ranges::min_element(
            drawn, {}, [&](std::size_t i) { return std::abs(static_cast<double>(fit().measured[i].bytes) - bytes); })];
    };
    connect(series, &QScatterSeries::hovered, this,
            [this, at](const QPointF& value, bool over) { over ? tell(words(at(value))) : QToolTip::hideText(); });
    connect(series, &QScatterSeries::clicked, this, [this, at](const QPointF& value) { activate(at(value)); });
    add(series, &across, &up);
}

QString TransferChart::words(const TransferSize& size) {
    QStringList lines{tr("%1: measured %2, predicted %3")
                          .arg(bytesText(size.bytes), duration(size.transfer_ns), duration(size.fitted_ns))};
    lines << plural(tr("median of %n transfer(s)", nullptr, static_cast<int>(size.samples)), size.samples);
    if (size.mark != SizeMark::OnLine) {
        lines << sizeMarkTitle(size.mark);
    }
    return lines.join(QLatin1Char('\n'));
}

void TransferChart::activate(const TransferSize& size) {
    const Collective* longest = nullptr;
    for (const Collective& collective : run().facts.collectives.collectives) {
        const bool of_size = fit().isOf(collective) && collective.bytes == size.bytes && collective.transfer_ns;
        if (of_size && (longest == nullptr || *collective.transfer_ns > *longest->transfer_ns)) {
            longest = &collective;
        }
    }
    if (longest != nullptr && !longest->members.empty() && !longest->members.front().slices.empty()) {
        activateSlice(longest->members.front().rank, longest->members.front().slices.front());
    }
}

}  // namespace rankscope::ui
