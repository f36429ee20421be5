// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/memory_chart.h"

#include <QAreaSeries>
#include <QChart>
#include <QComboBox>
#include <QLineSeries>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/format.h"
#include "ui/charts/chart_look.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/nice_interval.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kSamples = 1'000;

/// The unit of a time axis.
struct AxisUnit {
    double ns;
    const char* name;
};

/// For a duration, in the units that the rest of the window uses below a second.
AxisUnit axisUnitFor(double span_ns) {
    return span_ns < 1e9 ? AxisUnit{1e6, "ms"} : AxisUnit{1e9, "s"};
}

/// Decimals of numbers that are multiples of `interval`.
int decimalsOf(double interval) {
    return std::clamp(static_cast<int>(std::ceil(-std::log10(interval) - 1e-6)), 0, 6);
}

}  // namespace

MemoryChart::MemoryChart(const Theme& theme, QWidget* parent)
    : RunChart(tr("Memory"), theme, parent), device_(new QComboBox) {
    device_->setAccessibleName(tr("Rank and GPU"));
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, device_, 0, Qt::AlignLeft);
    connect(device_, &QComboBox::currentIndexChanged, this, &MemoryChart::refresh);
}

void MemoryChart::offerDevices() {
    const QSignalBlocker quiet(device_);
    const int before = device_->currentIndex();
    devices_.clear();
    device_->clear();
    for (RankPosition rank{0}; rank < run().facts.ranks.size(); ++rank) {
        for (const DeviceMemory& memory : run().facts.ranks[rank].memory) {
            devices_.push_back({rank, memory.device});
            device_->addItem(tr("%1, GPU %2").arg(rankName(*run().run, rank)).arg(memory.device));
        }
    }
    device_->setCurrentIndex(std::clamp(before, 0, std::max(0, device_->count() - 1)));
    device_->setVisible(devices_.size() > 1);
}

QString MemoryChart::fill() {
    if (read_of_ != run().run || devices_.empty()) {
        offerDevices();
    }
    if (devices_.empty()) {
        device_->hide();
        return tr("No memory over time was recorded. Record with profile_memory=True.");
    }
    const Shown wanted = devices_[static_cast<std::size_t>(std::max(0, device_->currentIndex()))];
    if (read_of_ != run().run || wanted != shown_) {
        read(wanted);
    }
    draw();
    return {};
}

void MemoryChart::read(const Shown& what) {
    shown_ = what;
    read_of_ = run().run;
    samples_.clear();
    job_.start([this, rank = read_of_->ranks[what.rank], what](const std::stop_token&) -> LatestJob::Show {
        auto samples = memorySeries(rank->memory, what.device, kSamples);
        return [this, samples = std::move(samples)] {
            samples_ = samples;
            refresh();
        };
    });
}

void MemoryChart::draw() {
    std::int64_t most = 1;
    const RankClock& clock = run().clock.ranks[shown_.rank];
    const AxisUnit of_time = samples_.empty()
                                 ? axisUnitFor(0)
                                 : axisUnitFor(static_cast<double>(samples_.back().at_ns - samples_.front().at_ns));
    unit_ns_ = of_time.ns;
    const auto place = [&](TimeNs at) {
        return static_cast<double>(clock.toRun(FileTime(at)) - run().clock.base_ns) / of_time.ns;
    };
    for (const MemorySample& sample : samples_) {
        most = std::max({most, sample.allocated_bytes, sample.reserved_bytes});
    }
    const ByteUnit unit = byteUnitFor(static_cast<double>(most));
    auto* time = new QValueAxis;
    auto* bytes = new QValueAxis;
    if (!samples_.empty()) {
        const double from = place(samples_.front().at_ns);
        const double to = place(samples_.back().at_ns);
        time->setRange(from, to);
        time->setTickType(QValueAxis::TicksDynamic);
        time->setTickInterval(niceInterval(to - from));
        time->setLabelFormat(
            QStringLiteral("%.%1f %2").arg(decimalsOf(time->tickInterval())).arg(QLatin1String(of_time.name)));
    }
    dressValueAxis(*bytes, static_cast<double>(most) * 1.05 / unit.bytes);
    dressAxis(*time, theme(), {});
    dressAxis(*bytes, theme(), unit.name);
    time->setGridLineVisible(false);

    auto* allocated = new QLineSeries;
    auto* reserved = new QLineSeries;
    // Memory in use does not change until the next event.
    const auto step_to = [](QLineSeries& line, double at, double value) {
        if (line.count() > 0 && line.at(line.count() - 1).y() != value) {
            line.append(at, line.at(line.count() - 1).y());
        }
        line.append(at, value);
    };
    for (const MemorySample& sample : samples_) {
        step_to(*allocated, place(sample.at_ns), static_cast<double>(sample.allocated_bytes) / unit.bytes);
        step_to(*reserved, place(sample.at_ns), static_cast<double>(sample.reserved_bytes) / unit.bytes);
    }
    auto* area = new QAreaSeries(allocated);
    allocated->setParent(area);  // an area does not own its edge
    area->setName(tr("allocated"));
    QColor fill = paletteColour("compute", theme());
    area->setPen(QPen(fill, 1.2));
    fill.setAlpha(90);
    area->setColor(fill);
    reserved->setName(tr("reserved"));
    reserved->setPen(QPen(theme().gap, 1.6));
    add(area, time, bytes);
    add(reserved, time, bytes);
    connect(area, &QAreaSeries::clicked, this, [this](const QPointF& at) { activate(at.x()); });
    connect(reserved, &QLineSeries::clicked, this, [this](const QPointF& at) { activate(at.x()); });
    const auto from_base = [this](const MemorySample& sample) {
        const RankClock& of = run().clock.ranks[shown_.rank];
        return static_cast<double>(of.toRun(FileTime(sample.at_ns)) - run().clock.base_ns) / unit_ns_;
    };
    offer({.count = samples_.size(),
           .words = [this](std::size_t i) { return words(samples_[i]); },
           .value =
               [this, from_base, of = unit.bytes](std::size_t i) {
                   return QPointF(from_base(samples_[i]), static_cast<double>(samples_[i].allocated_bytes) / of);
               },
           .activate = [this, from_base](std::size_t i) { activate(from_base(samples_[i])); },
           .bring_in_sight = {}});
}

QString MemoryChart::words(const MemorySample& sample) const {
    const auto bytes = [](std::int64_t held) {
        return text(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, held))));
    };
    return tr("At %1: %2 allocated, %3 reserved")
        .arg(duration(run().clock.ranks[shown_.rank].toRun(FileTime(sample.at_ns)) - run().clock.base_ns),
             bytes(sample.allocated_bytes), bytes(sample.reserved_bytes));
}

void MemoryChart::activate(double from_base) {
    const auto on_run = run().clock.base_ns + static_cast<TimeNs>(from_base * unit_ns_);
    const TimeNs at = run().clock.ranks[shown_.rank].toFile(RunTime(on_run));
    const auto& steps = run().facts.ranks[shown_.rank].steps;
    const auto step = std::ranges::find_if(steps, [&](const RankStep& s) { return s.host.contains(at); });
    if (step != steps.end()) {
        activateStep(shown_.rank, RankStepPosition(step - steps.begin()));
    }
}

}  // namespace rankscope::ui
