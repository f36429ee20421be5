// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/roofline_chart.h"

#include <QChart>
#include <QLegendMarker>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <QStringList>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/format.h"
#include "ui/charts/chart_look.h"
#include "ui/charts/log_axis.h"
#include "ui/charts/run_chart.h"
#include "ui/panels/compute/efficiency_words.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/type_colours.h"

namespace rankscope::ui {
namespace {

constexpr double kGigaInTera = 1e3;

template <class Row>
void addPoints(const std::vector<Row>& rows, std::vector<RooflinePoint>& points) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double intensity = rows[i].intensity().value_or(0);
        const double tflops = rows[i].tflops().value_or(0);
        if (intensity > 0 && tflops > 0) {
            points.push_back({intensity, tflops, rows[i].type, rows[i].time_ns, i});
        }
    }
}

/// The index in `points` of the point drawn at `at`.
std::size_t nearest(const std::vector<RooflinePoint>& all, const std::vector<std::size_t>& points, const QPointF& at) {
    return *std::ranges::min_element(points, {}, [&](std::size_t i) {
        return std::hypot(std::log(all[i].intensity / at.x()), std::log(all[i].tflops / at.y()));
    });
}

}  // namespace

std::vector<RooflinePoint> rooflinePoints(const ProductTables& facts, Counted what) {
    std::vector<RooflinePoint> points;
    what == Counted::Operators ? addPoints(facts.products, points) : addPoints(facts.kernels, points);
    std::ranges::stable_sort(points, std::ranges::greater(), &RooflinePoint::time_ns);
    return points;
}

RooflineChart::RooflineChart(const Theme& theme, QWidget* parent) : RunChart(tr("Roofline"), theme, parent) {}

void RooflineChart::setCounted(Counted what) {
    if (std::exchange(what_, what) != what) {
        outdate();
    }
}

void RooflineChart::setRank(std::optional<RankPosition> rank) {
    if (std::exchange(rank_, rank) != rank) {
        outdate();
    }
}

const DevicePeak* RooflineChart::peak() const {
    const std::vector<RankEfficiency>& ranks = run().facts.efficiency.ranks;
    if (rank_ && *rank_ < ranks.size()) {
        return ranks[*rank_].peak ? &*ranks[*rank_].peak : nullptr;
    }
    const auto at = std::ranges::find_if(ranks, [](const RankEfficiency& rank) { return rank.peak.has_value(); });
    return at != ranks.end() ? &*at->peak : nullptr;
}

std::vector<NumberType> RooflineChart::types() const {
    std::vector<NumberType> types;
    for (const RooflinePoint& point : points_) {
        types.push_back(point.type);
    }
    std::ranges::sort(types);
    types.erase(std::unique(types.begin(), types.end()), types.end());
    return types;
}

void RooflineChart::refresh() {
    RunChart::refresh();
    keepTitles(*this);
    view().fitTitles();
}

QString RooflineChart::fill() {
    points_ = rooflinePoints(tables(), what_);
    if (points_.empty()) {
        return tr("No operator has both FLOPs and bytes: record with record_shapes=True.");
    }
    all_ns_ = 0;
    for (const RooflinePoint& point : points_) {
        all_ns_ += point.time_ns;
    }
    const std::size_t left_out = points_.size() - std::min(points_.size(), kMostPoints);
    points_.resize(points_.size() - left_out);
    const auto [least, most] = std::ranges::minmax_element(points_, {}, &RooflinePoint::intensity);
    const auto [slowest, quickest] = std::ranges::minmax_element(points_, {}, &RooflinePoint::tflops);
    const DevicePeak* const roofs = peak();
    double right = most->intensity;
    double top = quickest->tflops;
    for (const NumberType type : types()) {
        const double roof = roofs != nullptr ? roofs->tflops[type].value_or(0) : 0;
        top = std::max(top, roof);
        right =
            std::max(right, roofs != nullptr && roofs->memory_gb_per_s ? roof * kGigaInTera / *roofs->memory_gb_per_s
                                                                       : 0.0);  // where the two roofs meet
    }
    QLogValueAxis* across = makeLogAxis(least->intensity, right, QStringLiteral("%g"), theme());
    QLogValueAxis* up = makeLogAxis(slowest->tflops, top, QStringLiteral("%g"), theme());
    dressAxis(*across, theme(),
              left_out == 0 ? tr("FLOPs/byte; larger: more of the time")
                            : tr("FLOPs/byte; the %1 that take longest").arg(points_.size()));
    dressAxis(*up, theme(), tr("TFLOP/s"));
    if (roofs != nullptr) {
        drawRoofs(*roofs, *across, *up);
    }
    for (const NumberType type : types()) {
        for (const Weight weight : {Weight::Large, Weight::Middle, Weight::Small}) {  // small ones in front
            drawPoints(type, weight, *across, *up);
        }
    }
    offer({.count = points_.size(),
           .words = [this](std::size_t i) { return words(points_[i]); },
           .value = [this](std::size_t i) { return QPointF(points_[i].intensity, points_[i].tflops); },
           .activate = [this](std::size_t i) { activate(points_[i]); },
           .bring_in_sight = {}});
    return {};
}

void RooflineChart::drawRoofs(const DevicePeak& peak, QLogValueAxis& across, QLogValueAxis& up) {
    const double left = across.min();
    const double right = across.max();
    const auto draw = [&](const QString& name, const QColor& colour, const QList<QPointF>& line) {
        auto* series = new QLineSeries;
        series->setName(name);
        series->setPen(QPen(colour, 2));
        series->append(line);
        add(series, &across, &up);
    };
    const double memory = peak.memory_gb_per_s.value_or(0) / kGigaInTera;  // TFLOP/s at one FLOP a byte
    double highest = 0;
    for (const NumberType type : types()) {
        const double roof = peak.tflops[type].value_or(0);
        if (roof > 0) {
            const double ridge = memory > 0 ? std::clamp(roof / memory, left, right) : left;
            draw(roofTitle(type, roof), colourOf(type, theme()), {{ridge, roof}, {right, roof}});
            highest = std::max(highest, roof);
        }
    }
    if (memory > 0) {
        const double first = std::max(left, up.min() / memory);
        const double last = std::min(right, (highest > 0 ? highest : up.max()) / memory);
        if (first < last) {
            draw(tr("memory: %1").arg(text(formatBandwidth(*peak.memory_gb_per_s * 1e9))), theme().text_dim,
                 {{first, first * memory}, {last, last * memory}});
        }
    }
}

RooflineChart::Weight RooflineChart::weightOf(const RooflinePoint& point) const {
    constexpr double kMuch = 0.1;
    constexpr double kSome = 0.01;
    const double share = static_cast<double>(point.time_ns) / static_cast<double>(std::max<DurationNs>(1, all_ns_));
    return share >= kMuch ? Weight::Large : share >= kSome ? Weight::Middle : Weight::Small;
}

void RooflineChart::drawPoints(NumberType type, Weight weight, QLogValueAxis& across, QLogValueAxis& up) {
    constexpr double kLarge = 14;
    constexpr double kMiddle = 10;
    constexpr double kSmall = 7;
    std::vector<std::size_t> drawn;
    auto* series = new QScatterSeries;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (points_[i].type == type && weightOf(points_[i]) == weight) {
            drawn.push_back(i);
            series->append(points_[i].intensity, points_[i].tflops);
        }
    }
    if (drawn.empty()) {
        delete series;
        return;
    }
    series->setMarkerSize(weight == Weight::Large ? kLarge : weight == Weight::Middle ? kMiddle : kSmall);
    series->setColor(colourOf(type, theme()));
    series->setBorderColor(theme().surface);
    series->setName(text(numberTypeName(type)));
    add(series, &across, &up);
    const DevicePeak* const roofs = peak();
    const bool named = roofs != nullptr && roofs->tflops[type].has_value();  // by its roof
    const auto before = chart().series();
    const bool first = std::none_of(before.begin(), before.end(), [&](const QAbstractSeries* other) {
        return other != series && other->name() == series->name();
    });
    for (QLegendMarker* marker : chart().legend()->markers(series)) {
        marker->setVisible(!named && first);
    }
    answer(*series, drawn);
}

void RooflineChart::answer(QScatterSeries& series, const std::vector<std::size_t>& points) {
    connect(&series, &QScatterSeries::hovered, this, [this, points](const QPointF& at, bool over) {
        over ? tell(words(points_[nearest(points_, points, at)])) : QToolTip::hideText();
    });
    connect(&series, &QScatterSeries::clicked, this,
            [this, points](const QPointF& at) { activate(points_[nearest(points_, points, at)]); });
}

QString RooflineChart::words(const RooflinePoint& point) const {
    const ProductTables& facts = tables();
    return what_ == Counted::Operators ? productWords(facts.products[point.row])
                                       : kernelWords(facts.kernels[point.row], peak());
}

void RooflineChart::activate(const RooflinePoint& point) {
    const ProductTables& facts = tables();
    const EfficiencyPlace& place =
        what_ == Counted::Operators ? facts.products[point.row].longest : facts.kernels[point.row].longest;
    activateSlice(place.rank, place.slice);
}

}  // namespace rankscope::ui
