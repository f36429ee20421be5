// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/counter_bars.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

constexpr double kCounterMargin = 2;  // logical pixels above and below the bars
constexpr double kScaleMargin = 6;    // logical pixels beside the label of the scale
constexpr unsigned kFull = 170;       // out of 256, of the colour of the counted work
constexpr unsigned kFaint = 80;

QRgb colourOf(CounterKind kind, const Theme& theme) {
    const SliceColors& colors = SliceColors::of(theme);
    switch (kind) {
        case CounterKind::KernelsInFlight: return colors.middle(Hue::Compute);
        case CounterKind::LaunchQueue: return colors.middle(Hue::Runtime);
        case CounterKind::CollectiveRate: return colors.middle(Hue::Communication);
        case CounterKind::CopyRate: return colors.middle(Hue::Copy);
        case CounterKind::ExposedShare: return theme.exposed.rgb();
        case CounterKind::HostThreads: return colors.middle(Hue::Operator);
        case CounterKind::DeviceClock: return colors.middle(Hue::Compute);
        case CounterKind::DevicePower: return theme.gap.rgb();
        case CounterKind::DeviceTemperature: return theme.exposed.rgb();
        case CounterKind::DeviceActivity: return colors.middle(Hue::Compute);
        case CounterKind::DeviceBandwidth: return colors.middle(Hue::Copy);
        case CounterKind::MemoryAllocated:
        case CounterKind::MemoryReserved: break;
    }
    return colors.middle(Hue::Annotation);
}

/// Combines the values of a counter, pixel by pixel from left to right.
class PixelValues {
  public:
    /// For the pixels [first, last); `before` is the value before the first.
    PixelValues(std::int32_t first, std::int32_t last, const ValueRange& before, std::vector<FrameBar>& bars)
        : x_(first), last_(last), range_(before), first_bar_(bars.size()), bars_(bars) {}

    /// The value has this range from the last given pixel up to and including the pixel `x`.
    void upTo(std::int32_t x, const ValueRange& range) {
        const std::int32_t until = std::clamp(x, x_, last_ - 1);
        range_ = range_.with(range);
        if (until > x_) {
            add(x_, x_ + 1, range_);
            add(x_ + 1, until, range);
            x_ = until;
            range_ = range;
        }
    }
    /// No value follows.
    void end() { add(x_, x_ + 1, range_); }

  private:
    void add(std::int32_t x0, std::int32_t x1, const ValueRange& range) {
        if (x0 >= x1) {
            return;
        }
        if (bars_.size() > first_bar_ && bars_.back().running == range) {
            bars_.back().x1 = x1;
        } else {
            bars_.push_back({x0, x1, range});
        }
    }

    std::int32_t x_;  // the pixel whose range may still grow
    std::int32_t last_;
    ValueRange range_;  // its range so far
    std::size_t first_bar_;
    std::vector<FrameBar>& bars_;
};

/// Adds the bars of a series: from buckets if a pixel has many changes, otherwise from the changes themselves.
void addValues(const CounterPlace& place, const CounterSeries& series, const CounterLod& lod, Frame& frame) {
    const auto pixel_of = [&](TimeNs at_ns) { return frame.scale.pixelAt(place.toAxis(at_ns)); };
    const std::int32_t first_x = std::max(0, pixel_of(series.at_ns.front()));
    const std::int32_t last_x = std::min(frame.width, pixel_of(place.index->window.end_ns));
    if (first_x >= last_x) {
        return;
    }
    const TimeSpan window{place.toOwn(frame.window.start_ns), place.toOwn(frame.window.end_ns)};
    const std::uint64_t held = series.valueAt(window.start_ns);
    PixelValues pixels(first_x, last_x, {held, held}, frame.counter_bars);
    const auto pixel_ns = static_cast<DurationNs>(1.0 / frame.scale.pixels_per_ns);
    if (const auto buckets = lod.query(window, pixel_ns)) {
        TimeNs end_ns = buckets->start_ns;
        for (const ValueRange& range : buckets->ranges) {
            end_ns += buckets->step_ns;
            pixels.upTo(pixel_of(end_ns - 1), range);
        }
    } else {
        std::uint64_t value = held;
        const auto first = std::ranges::upper_bound(series.at_ns, window.start_ns) - series.at_ns.begin();
        for (auto i = static_cast<std::size_t>(first); i < series.at_ns.size(); ++i) {
            const std::int32_t x = pixel_of(series.at_ns[i]);
            if (x >= last_x) {
                break;
            }
            pixels.upTo(x, {value, value});
            value = series.value[i];
            pixels.upTo(x, {value, value});
        }
    }
    const std::uint64_t end = series.valueAt(std::min(window.end_ns, place.index->window.end_ns) - 1);
    pixels.upTo(last_x - 1, {end, end});
    pixels.end();
}

/// The greatest value of the bars.
std::uint64_t greatest(std::span<const FrameBar> bars) {
    std::uint64_t most = 0;
    for (const FrameBar& bar : bars) {
        most = std::max(most, bar.running.high);
    }
    return most;
}

}  // namespace

CounterPlace countersAt(const TimelineModel& model, std::uint32_t run, std::optional<RankPosition> rank) {
    if (run >= model.runs().size() || model.runs()[run].ranks.empty()) {
        return {};
    }
    const RunView& of = model.runs()[run];
    if (!rank) {
        return {of.counters.get(), {}, of.ranks.front().base_ns};
    }
    const RankView* const view = model.rank(run, *rank);
    return view != nullptr ? CounterPlace{view->counters.get(), view->clock, view->base_ns} : CounterPlace{};
}

void addCounterBars(const CounterPlace& place, FrameCounterRow row, const Theme& theme, const TextMeasure& measure,
                    Frame& frame) {
    const CounterSeries& series = place.index->series[row.counter];
    row.first = static_cast<std::uint32_t>(frame.counter_bars.size());
    addValues(place, series, place.index->lods[row.counter], frame);
    row.last = static_cast<std::uint32_t>(frame.counter_bars.size());
    const std::uint64_t most = greatest(std::span(frame.counter_bars).subspan(row.first));
    row.full = roundedUp(most);
    row.pad = static_cast<std::int32_t>(std::lround(kCounterMargin * frame.pixel_ratio));
    const QRgb colour = colourOf(series.kind, theme);
    row.fill = mix(theme.track.rgb(), colour, kFull);
    row.faint = mix(theme.track.rgb(), colour, kFaint);
    frame.counter_rows.push_back(row);
    const double left =
        std::max(0, frame.scale.pixelAt(place.toAxis(place.index->window.start_ns))) + kScaleMargin * frame.pixel_ratio;
    const QString scale = QString::fromStdString(formatCounter(series.kind, row.full));
    if (most > 0 && left + measure.width(scale) < frame.width) {
        frame.labels.push_back(
            {left, row.y, row.height / 2, scale, theme.text_dim.rgb(), FrameLabel::Role::Gap, theme.track.rgb()});
    }
}

std::int32_t counterHeight(const FrameCounterRow& row, std::uint64_t value) {
    const std::int32_t room = row.height - 2 * row.pad;
    const double share = static_cast<double>(value) / static_cast<double>(std::max<std::uint64_t>(1, row.full));
    return value == 0 ? 0 : std::clamp(static_cast<std::int32_t>(std::lround(room * share)), 1, std::max(1, room));
}

CounterBarAt counterBarAt(const Frame& frame, int x, int y) {
    for (const FrameCounterRow& row : frame.counter_rows) {
        if (y < row.y || y >= row.y + row.height || y < frame.sticky) {
            continue;
        }
        const auto bars = std::span(frame.counter_bars).subspan(row.first, row.last - row.first);
        const auto at = std::ranges::partition_point(bars, [x](const FrameBar& bar) { return bar.x1 <= x; });
        if (at != bars.end() && at->x0 <= x) {
            return {&row, &*at};
        }
    }
    return {};
}

}  // namespace rankscope::ui
