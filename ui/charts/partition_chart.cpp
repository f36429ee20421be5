// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/partition_chart.h"

#include <QBarLegendMarker>
#include <QBarSet>
#include <QCategoryAxis>
#include <QChart>
#include <QLegend>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedBarSeries>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/analysis/steps/step_spread.h"
#include "core/report/tables/step_parts.h"
#include "ui/charts/bar_names.h"
#include "ui/charts/chart_look.h"
#include "ui/charts/wrapped_legend.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/role_words.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {
namespace {

constexpr int kBarPixels = 18;
constexpr int kBesideLegend = 40;  // pixels of the chart
constexpr int kLeastBarPixels = 6;
constexpr int kMostBarPixels = 72;
constexpr int kWheelStep = 120;  // angle of one notch
constexpr int kBarsOfANotch = 4;
constexpr double kSeenPixels = 0.5;     // smallest height that is drawn
constexpr std::size_t kMostBars = 160;  // bars that can be built within a frame

/// A legend shows "DataLoader" for "Idle: DataLoader", since all parts are next to each other.
QString shortTitle(const QString& title) {
    const qsizetype colon = title.indexOf(QStringLiteral(": "));
    if (colon < 0) {
        return title;
    }
    const QString part = title.mid(colon + 2);
    return part.left(1).toUpper() + part.mid(1);
}

QColor partColourOf(const report::ChartPart& part, const Theme& theme) {
    return part.waits ? colourOf(Swatch::Waiting, theme) : paletteColour(part.colour, theme);
}

}  // namespace

PartitionChart::PartitionChart(const Theme& theme, QWidget* parent)
    : RunChart(tr("Step breakdown"), theme, parent),
      scroll_(new QScrollBar(Qt::Horizontal)),
      bar_pixels_(kBarPixels),
      legend_(new WrappedLegend(chart())) {
    scroll_->setAccessibleName(tr("Steps in view"));
    layout()->addWidget(scroll_);
    connect(scroll_, &QScrollBar::valueChanged, this, &PartitionChart::refresh);
}

void PartitionChart::collect() {
    bars_.clear();
    collectTypical();
    const RunFacts& facts = run().facts;
    for (RunStepPosition s{0}; s < facts.steps.size(); ++s) {
        if (!bars_.empty()) {
            bars_.push_back({});
        }
        for (RankPosition rank{0}; rank < facts.steps[s].by_rank.size(); ++rank) {
            const auto step = facts.steps[s].by_rank[rank];
            if (step && facts.ranks[rank].steps[*step].partition) {
                bars_.push_back({s, rank, *step, false, false});
            }
        }
    }
}

void PartitionChart::collectTypical() {
    const RunFacts& facts = run().facts;
    if (facts.basis == StepBasis::Mean) {
        return;  // the long steps contain all of their time, and the one in the middle none of it
    }
    std::vector<Bar> bars;
    for (RankPosition rank{0}; rank < facts.ranks.size(); ++rank) {
        const std::vector<RankStep>& steps = facts.ranks[rank].steps;
        const bool works = std::ranges::any_of(steps, [](const RankStep& step) { return step.partition.has_value(); });
        const std::optional<RankStepPosition> typical = typicalStep(steps);
        const auto of_run =
            std::ranges::find_if(facts.steps, [&](const RunStep& step) { return typical && step.of(rank) == typical; });
        if (of_run != facts.steps.end()) {
            bars.push_back({RunStepPosition(of_run - facts.steps.begin()), rank, *typical, false, true});
        } else if (works) {
            return;  // a rank next to the gap of another would look as if only it had worked
        }
    }
    bars_ = std::move(bars);
}

std::size_t PartitionChart::barsInSight() const {
    const auto room = static_cast<std::size_t>(std::max(1, width() / bar_pixels_));
    return std::min({bars_.size(), room, kMostBars});
}

void PartitionChart::resizeEvent(QResizeEvent* event) {
    RunChart::resizeEvent(event);
    const auto before = static_cast<std::size_t>(scroll_->pageStep());
    if (isVisible() && before != barsInSight()) {
        refresh();
    } else if (const auto all = chart().series(); !all.isEmpty()) {
        hideSmallParts(static_cast<const QStackedBarSeries&>(*all.front()));  // higher bars can show smaller parts
    }
}

bool PartitionChart::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view().viewport() && event->type() == QEvent::Wheel) {
        turnWheel(*static_cast<QWheelEvent*>(event));
        return true;
    }
    return RunChart::eventFilter(watched, event);
}

void PartitionChart::turnWheel(const QWheelEvent& wheel) {
    const QPoint turned = wheel.angleDelta();
    const double notches = static_cast<double>(turned.y() != 0 ? turned.y() : turned.x()) / kWheelStep;
    if ((wheel.modifiers() & Qt::ControlModifier) == 0) {
        scroll_->setValue(scroll_->value() - static_cast<int>(std::lround(notches * kBarsOfANotch)));
        return;
    }
    // The bar at the pointer keeps its position.
    const double at = wheel.position().x() / std::max(1, width());
    const double held = scroll_->value() + at * static_cast<double>(barsInSight());
    const auto wider = static_cast<int>(std::lround(bar_pixels_ * std::pow(1.25, notches)));
    bar_pixels_ = std::clamp(wider == bar_pixels_ && notches > 0 ? wider + 1 : wider, kLeastBarPixels, kMostBarPixels);
    const auto shown = static_cast<double>(barsInSight());
    {
        const QSignalBlocker quiet(scroll_);
        scroll_->setRange(0, static_cast<int>(bars_.size() - barsInSight()));
        scroll_->setValue(static_cast<int>(std::lround(held - at * shown)));
    }
    refresh();
}

std::vector<StepBars> PartitionChart::stepGroups(std::size_t from, std::size_t to) const {
    std::vector<StepBars> groups;
    for (std::size_t i = from; i < to; ++i) {
        const Bar& bar = bars_[i];
        if (bar.empty) {
            continue;
        }
        if (i > from && !bars_[i - 1].empty) {
            groups.back().last = i - from;
            continue;
        }
        const std::int64_t index = run().facts.steps[bar.run_step].index;
        groups.push_back({i - from, i - from, bar.run_step, !bar.typical,
                          bar.typical ? tr("typical step") : tr("step %1").arg(index),
                          bar.typical ? tr("typical", "a step, where there is little room") : QString::number(index),
                          bar.typical ? tr("typ.", "a typical step, where there is no room for the word") : QString()});
    }
    return groups;
}

QCategoryAxis* PartitionChart::makeStepAxis(std::size_t from, std::size_t to, bool below_names) const {
    // The first line is for the names.
    const QString before = below_names ? QStringLiteral("<br>") : QString();
    auto* steps = new QCategoryAxis;
    steps->setStartValue(-0.5);
    steps->setRange(-0.5, static_cast<double>(to - from) - 0.5);
    for (const StepBars& group : stepGroups(from, to)) {
        steps->append(before + group.name, static_cast<double>(group.last) + 1.0);
    }
    dressAxis(*steps, theme(), {});
    steps->setLabelsBrush(QColor(Qt::transparent));  // they keep their space: Qt would cut them
    return steps;
}

std::vector<QString> PartitionChart::rankNames(std::size_t from, std::size_t to) const {
    std::vector<QString> names;
    for (std::size_t i = from; i < to && run().run->ranks.size() > 1; ++i) {
        const auto& ranks = run().run->ranks;
        const Bar& bar = bars_[i];
        const bool numbered = !bar.empty && ranks[bar.rank]->rank.has_value();
        names.push_back(bar.empty  ? QString()
                        : numbered ? QString::number(ranks[bar.rank]->rank->value)
                                   : rankName(*run().run, bar.rank));
    }
    return names;
}

std::vector<QString> PartitionChart::placeNames(std::size_t from, std::size_t to) const {
    std::vector<QString> names;
    for (std::size_t i = from; i < to; ++i) {
        if (!bars_[i].empty && placeTitle(run().facts.parallelism.grid, bars_[i].rank).isEmpty()) {
            return {};  // in this case numbers are enough
        }
        names.push_back(bars_[i].empty ? QString() : rankInPlace(run(), bars_[i].rank));
    }
    return names;
}

void PartitionChart::refresh() {
    delete std::exchange(names_, nullptr);  // before the bars that they belong to
    delete std::exchange(step_names_, nullptr);
    legend_->setParts({}, 0, smallFont(theme()), theme().text);
    RunChart::refresh();
}

QString PartitionChart::fill() {
    collect();
    const std::size_t shown = barsInSight();
    {
        const QSignalBlocker quiet(scroll_);
        scroll_->setRange(0, static_cast<int>(bars_.size() - shown));
        scroll_->setPageStep(static_cast<int>(shown));
    }
    scroll_->setVisible(shown < bars_.size());
    if (std::ranges::all_of(bars_, &Bar::empty)) {
        return tr("No step has GPU work. Record ProfilerActivity.CUDA and call prof.step().");
    }
    const auto from = static_cast<std::size_t>(scroll_->value());
    const std::size_t to = from + shown;
    DurationNs longest = 0;
    for (std::size_t i = from; i < to; ++i) {
        const Bar& bar = bars_[i];
        if (!bar.empty) {
            longest = std::max(longest, run().facts.ranks[bar.rank].steps[bar.step].span.length());
        }
    }
    std::vector<QString> names = rankNames(from, to);
    const bool named = !names.empty();
    QCategoryAxis* steps = makeStepAxis(from, to, named);
    const TimeUnit unit = timeUnitFor(longest);
    auto* time = new QValueAxis;
    dressValueAxis(*time, static_cast<double>(longest) / unit.ns);
    dressAxis(*time, theme(), unit.name);
    auto* series = new QStackedBarSeries;
    series->setBarWidth(0.82);
    addParts(*series, from, to, unit.ns);
    add(series, steps, time);
    hideSmallParts(*series);
    offerBars(from, unit.ns);
    step_names_ = new StepNames(chart(), *series, {stepGroups(from, to), tr("step"), named}, smallFont(theme()),
                                theme().text_dim);
    if (named) {
        names_ = new BarNames(chart(), *series, std::move(names), smallFont(theme()), theme().text_dim,
                              placeNames(from, to));
    }
    return {};
}

// All bars, including those scrolled out of view: the keyboard scrolls to them.
void PartitionChart::offerBars(std::size_t from, double unit_ns) {
    std::vector<std::size_t> whole;  // indices into bars_
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        if (!bars_[i].empty) {
            whole.push_back(i);
        }
    }
    const std::size_t count = whole.size();
    offer({.count = count,
           .words = [this, whole](std::size_t i) { return words(bars_[whole[i]]); },
           .value =
               [this, whole, from, unit_ns](std::size_t i) {
                   const Bar& bar = bars_[whole[i]];
                   const DurationNs length = run().facts.ranks[bar.rank].steps[bar.step].span.length();
                   return QPointF(static_cast<double>(whole[i]) - static_cast<double>(from),
                                  static_cast<double>(length) / unit_ns);
               },
           .activate = [this, whole](std::size_t i) { activateStep(bars_[whole[i]].rank, bars_[whole[i]].step); },
           .bring_in_sight =
               [this, whole](std::size_t i) {
                   const int bar = static_cast<int>(whole[i]);
                   const int first = scroll_->value();
                   const int shown = scroll_->pageStep();
                   if (bar < first || bar >= first + shown) {
                       scroll_->setValue(bar < first ? bar : bar - shown + 1);
                   }
               }});
}

QString PartitionChart::words(const Bar& bar) const {
    const RankStep& step = run().facts.ranks[bar.rank].steps[bar.step];
    QStringList parts;
    for (const report::ChartPart& part : report::partsOf(step)) {
        if (part.ns > 0) {
            parts << tr("%1: %2").arg(coreText(part.title), duration(part.ns));
        }
    }
    return tr("Step %1, %2: %3 in all\n%4")
        .arg(run().facts.steps[bar.run_step].index)
        .arg(rankInPlace(run(), bar.rank), duration(step.span.length()), parts.join(QLatin1Char('\n')));
}

void PartitionChart::addParts(QStackedBarSeries& series, std::size_t from, std::size_t to, double unit_ns) {
    struct Layer {
        QBarSet* set = nullptr;
        std::vector<DurationNs> ns;
    };
    std::map<int, Layer> layers;  // sorted by their order
    for (std::size_t i = from; i < to; ++i) {
        if (bars_[i].empty) {
            continue;
        }
        for (const report::ChartPart& part : report::partsOf(run().facts.ranks[bars_[i].rank].steps[bars_[i].step])) {
            Layer& layer = layers[part.order];
            if (layer.set == nullptr) {
                layer.set = new QBarSet(coreText(part.title));
                const bool waste = part.waits || part.colour.starts_with("cause-");
                layer.set->setBrush(QBrush(partColourOf(part, theme()), waste ? Qt::Dense2Pattern : Qt::SolidPattern));
                layer.set->setPen(Qt::NoPen);
                layer.ns.resize(to - from);
            }
            layer.ns[i - from] = part.ns;
        }
    }
    for (auto& [order, layer] : layers) {
        for (const DurationNs ns : layer.ns) {
            layer.set->append(static_cast<double>(ns) / unit_ns);
        }
        series.append(layer.set);
        connect(layer.set, &QBarSet::hovered, this,
                [this, from, name = layer.set->label(), all = layer.ns](bool over, int index) {
                    const auto at = static_cast<std::size_t>(index);
                    if (over && at < all.size()) {
                        tell(words(bars_[from + at], name, all[at]));
                    } else {
                        QToolTip::hideText();
                    }
                });
        connect(layer.set, &QBarSet::clicked, this, [this, from](int index) {
            const Bar bar = bars_[from + static_cast<std::size_t>(index)];
            activateStep(bar.rank, bar.step);
        });
    }
}

// The legend names what is drawn in any bar; the tool tips also name the parts that are too small for that.
void PartitionChart::hideSmallParts(const QStackedBarSeries& series) {
    const QList<QBarSet*> sets = series.barSets();
    const int bars = sets.isEmpty() ? 0 : sets.front()->count();
    double longest = 0;
    for (int bar = 0; bar < bars; ++bar) {
        double length = 0;
        for (const QBarSet* set : sets) {
            length += set->at(bar);
        }
        longest = std::max(longest, length);
    }
    const double least = longest * kSeenPixels / std::max(1, view().height());  // the bars take most of the height
    std::vector<WrappedLegend::Part> parts;
    for (QLegendMarker* marker : chart().legend()->markers()) {
        const QBarSet* set = static_cast<QBarLegendMarker*>(marker)->barset();
        bool seen = false;
        for (int bar = 0; bar < bars && !seen; ++bar) {
            seen = set->at(bar) > 0 && set->at(bar) >= least;
        }
        marker->setVisible(seen);
        marker->setLabel(shortTitle(set->label()));
        if (seen) {
            parts.push_back({marker->label(), set->brush()});
        }
    }
    legend_->setParts(std::move(parts), view().width() - kBesideLegend, smallFont(theme()), theme().text);
}

QString PartitionChart::words(const Bar& bar, const QString& part, DurationNs ns) const {
    const DurationNs whole = run().facts.ranks[bar.rank].steps[bar.step].span.length();
    return (bar.typical ? tr("Step %1, typical of %2\n%3: %4 of %5") : tr("Step %1, %2\n%3: %4 of %5"))
        .arg(run().facts.steps[bar.run_step].index)
        .arg(rankInPlace(run(), bar.rank), part, duration(ns), duration(whole));
}

}  // namespace rankscope::ui
