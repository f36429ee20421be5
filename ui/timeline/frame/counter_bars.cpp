// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/counter_bars.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/analysis/calls/call_tree.h"
#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

constexpr double kCounterMargin = 2;  // logical pixels above and below the bars
constexpr double kScaleMargin = 6;    // logical pixels beside the label of the scale
constexpr unsigned kFull = 170;       // of 256, of the colour of what is counted
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
        case CounterKind::MemoryAllocated:
        case CounterKind::MemoryReserved: break;
    }
    return colors.middle(Hue::Annotation);
}

/// Puts the values of a counter together, pixel by pixel from left to right.
class PixelValues {
  public:
    /// For the pixels [first, last); `before` is what holds before the first.
    PixelValues(std::int32_t first, std::int32_t last, const ValueRange& before, std::vector<FrameBar>& bars)
        : x_(first), last_(last), range_(before), first_bar_(bars.size()), bars_(bars) {}

    /// The value has this range from where it was told of last up to and with the pixel `x`.
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
    /// All is told.
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

    std::int32_t x_;  // the pixel that may be told more of
    std::int32_t last_;
    ValueRange range_;  // what is known of it
    std::size_t first_bar_;
    std::vector<FrameBar>& bars_;
};

/// Adds the bars of a series: from buckets where many changes lie in a pixel, else from the changes themselves.
void addValues(const RankView& rank, const CounterSeries& series, const CounterLod& lod, Frame& frame) {
    const auto pixel_of = [&](TimeNs at_ns) { return frame.scale.pixelAt(rank.toAxis(at_ns)); };
    const std::int32_t first_x = std::max(0, pixel_of(series.at_ns.front()));
    const std::int32_t last_x = std::min(frame.width, pixel_of(rank.trace->window.end_ns));
    if (first_x >= last_x) {
        return;
    }
    const TimeSpan window{rank.toFile(frame.window.start_ns), rank.toFile(frame.window.end_ns)};
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
    const std::uint64_t end = series.valueAt(std::min(window.end_ns, rank.trace->window.end_ns) - 1);
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

bool isCounted(CounterKind kind, const RankView& rank, SliceRef slice) {
    const Category category = rank.trace->category(slice);
    switch (kind) {
        case CounterKind::KernelsInFlight: return category == Category::Kernel;
        case CounterKind::CollectiveRate:
        case CounterKind::ExposedShare: return rank.workClass(slice) == WorkClass::Communication;
        case CounterKind::HostThreads: return isCall(CallSource::Both, category, rank.trace->name(slice));
        case CounterKind::CopyRate: return category == Category::Memcpy;
        case CounterKind::LaunchQueue: return isDeviceWork(category);
        case CounterKind::MemoryAllocated:
        case CounterKind::MemoryReserved: break;
    }
    return false;
}

/// The last slice of a track that begins before `end_ns`, or the innermost around it, that reaches `start_ns`.
SliceIndex runningIn(const SliceTable& slices, const TimeSpan& at) {
    const auto after = std::ranges::lower_bound(slices.start_ns, at.end_ns) - slices.start_ns.begin();
    SliceIndex running = after == 0 ? kNoSlice : static_cast<SliceIndex>(after - 1);
    while (running != kNoSlice && slices.end_ns[running] <= at.start_ns) {
        running = slices.parent[running];
    }
    return running;
}

/// The first slice of a stream that begins at `at_ns` or later.
SliceIndex nextFrom(const SliceTable& slices, TimeNs at_ns) {
    const auto next = std::ranges::lower_bound(slices.start_ns, at_ns) - slices.start_ns.begin();
    return static_cast<std::size_t>(next) < slices.size() ? static_cast<SliceIndex>(next) : kNoSlice;
}

/// The longest communication of a device in the step at an instant.
SliceRef longestCommunicationAround(const RankView& rank, std::int32_t device, TimeNs instant_ns) {
    SliceRef longest;
    const auto& steps = rank.facts->steps;
    const auto step = std::ranges::find_if(
        steps, [&](const RankStep& s) { return instant_ns >= s.span.start_ns && instant_ns < s.span.end_ns; });
    for (std::uint32_t t = 0; step != steps.end() && t < rank.trace->tracks.size(); ++t) {
        const Track& track = rank.trace->tracks[t];
        const SliceTable& slices = track.slices;
        SliceIndex i = nextFrom(slices, step->span.start_ns);
        for (; track.kind == TrackKind::Stream && track.device == device && i < slices.size() &&
               slices.start_ns[i] < step->span.end_ns;
             ++i) {
            const SliceRef slice{TrackId(t), i};
            const bool better = !longest.valid() || slices.span(i).length() > rank.trace->span(longest).length();
            if (better && rank.workClass(slice) == WorkClass::Communication) {
                longest = slice;
            }
        }
    }
    return longest;
}

}  // namespace

void addCounterBars(const RankView& rank, FrameCounterRow row, const Theme& theme, const TextMeasure& measure,
                    Frame& frame) {
    const CounterSeries& series = rank.counters->series[row.counter];
    row.first = static_cast<std::uint32_t>(frame.counter_bars.size());
    addValues(rank, series, rank.counters->lods[row.counter], frame);
    row.last = static_cast<std::uint32_t>(frame.counter_bars.size());
    const std::uint64_t most = greatest(std::span(frame.counter_bars).subspan(row.first));
    row.full = roundedUp(most);
    row.pad = static_cast<std::int32_t>(std::lround(kCounterMargin * frame.pixel_ratio));
    const QRgb colour = colourOf(series.kind, theme);
    row.fill = mix(theme.track.rgb(), colour, kFull);
    row.faint = mix(theme.track.rgb(), colour, kFaint);
    frame.counter_rows.push_back(row);
    const double left =
        std::max(0, frame.scale.pixelAt(rank.toAxis(rank.trace->window.start_ns))) + kScaleMargin * frame.pixel_ratio;
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

Selection sliceOfCounter(const TimelineModel& model, const Frame& frame, const HitCounter& over, int x) {
    const RankView* const rank = model.rank(over.run, over.rank);
    if (rank == nullptr || rank->counters == nullptr || over.counter >= rank->counters->series.size()) {
        return {};
    }
    const CounterSeries& series = rank->counters->series[over.counter];
    const TimeSpan at{rank->toFile(frame.scale.timeAt(x)), rank->toFile(frame.scale.timeAt(x + 1))};
    const auto selected = [&](SliceRef slice) {
        return slice.valid() && over.value.high > 0 ? Selection(SliceSelection{over.run, over.rank, slice})
                                                    : Selection();
    };
    if (series.kind == CounterKind::ExposedShare) {
        return selected(longestCommunicationAround(*rank, series.device, at.start_ns));
    }
    const bool waits = series.kind == CounterKind::LaunchQueue;
    const bool host = series.kind == CounterKind::HostThreads;
    SliceRef found;
    for (std::uint32_t t = 0; t < rank->trace->tracks.size(); ++t) {
        const Track& track = rank->trace->tracks[t];
        const bool counts = host ? track.kind == TrackKind::CpuThread
                                 : track.kind == TrackKind::Stream && track.device == series.device;
        if (!counts) {
            continue;
        }
        const SliceIndex slice = waits ? nextFrom(track.slices, at.start_ns) : runningIn(track.slices, at);
        const SliceRef ref{TrackId(t), slice};
        if (slice == kNoSlice || !isCounted(series.kind, *rank, ref)) {
            continue;
        }
        const TimeSpan span = rank->trace->span(ref);
        const bool better = !found.valid() || (waits ? span.start_ns < rank->trace->span(found).start_ns
                                                     : span.length() > rank->trace->span(found).length());
        found = better ? ref : found;
    }
    return selected(found);
}

}  // namespace rankscope::ui
