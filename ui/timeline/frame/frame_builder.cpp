// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/frame_builder.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/timeline/frame/counter_bars.h"
#include "ui/timeline/frame/frame_overlays.h"
#include "ui/timeline/frame/host_bars.h"
#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/frame/path_marks.h"
#include "ui/timeline/rows/host_lane.h"

namespace rankscope::ui {
namespace {

constexpr double kLabelMargin = 4;  // logical pixels on each side

int devicePixels(int logical, double ratio) {
    return static_cast<int>(std::lround(logical * ratio));
}

}  // namespace

FrameBuilder::FrameBuilder(const Theme& theme, double pixel_ratio)
    : theme_(theme),
      looks_(theme),
      measure_(labelFont(theme, pixel_ratio)),
      sizes_(rowSizes(theme)),
      pixel_ratio_(pixel_ratio) {}

Frame FrameBuilder::build(const TimelineModel& model, const RowLayout& layout, const FrameView& view, Frame used) {
    Frame frame = std::move(used);
    frame.clear();
    frame.pixel_ratio = pixel_ratio_;
    frame.width = devicePixels(view.width, pixel_ratio_);
    frame.height = devicePixels(view.height, pixel_ratio_);
    frame.sticky = devicePixels(view.rows.sticky, pixel_ratio_);
    frame.window = view.viewport->window();
    frame.scale = view.viewport->scale(frame.width);
    frame.ruler = makeRuler(frame.window, view.width, edgeSizes(theme_).ticks);
    overlays_of_.reset();
    const auto rows = layout.rows();
    for (std::size_t i = 0; i < rows.size() && rows[i].y < view.rows.sticky; ++i) {
        addRow(model, layout, i, view, frame);
    }
    const std::size_t first = layout.firstBelow(view.rows.toRows(view.rows.sticky));
    for (std::size_t i = first; i < rows.size() && view.rows.toView(rows[i].y) < view.height; ++i) {
        addRow(model, layout, i, view, frame);
    }
    if (view.overlays.has(Overlay::Path)) {
        addPath(model, layout, view, sizes_, frame);
    }
    return frame;
}

void FrameBuilder::addRow(const TimelineModel& model, const RowLayout& layout, std::size_t i, const FrameView& view,
                          Frame& frame) {
    const LayoutRow& row = layout.rows()[i];
    const int top = view.rows.toView(row.y);
    const int y = devicePixels(top, pixel_ratio_);
    const FrameRow place{i, y, devicePixels(top + row.height, pixel_ratio_) - y};
    frame.rows.push_back(place);
    if (row.kind == RowKind::Host) {
        const RunView& run = model.runs()[row.run];
        const FrameHostRow bars{y, place.height, row.run, row.host, 0, 0, 0, 0};
        addHostBars(run.index->hosts[row.host], run.ranks[row.rank].base_ns, bars, frame);
        return;
    }
    if (row.kind == RowKind::RunCounter) {
        addCounter(model, row, place, {}, frame);
        return;
    }
    if (row.kind == RowKind::Run || row.kind == RowKind::Alike || row.kind == RowKind::Heading) {
        return;
    }
    const RankView& rank = *model.rank(row.run, row.rank);
    if (row.kind == RowKind::Rank) {
        addSteps(rank, place, frame);
    }
    const std::uint64_t rank_key = (std::uint64_t{row.run} << 32U) + row.rank;
    if (!row.pinned && overlays_of_ != rank_key) {
        overlays_of_ = rank_key;
        addOverlays(model, layout, i, view, frame);
    }
    if (row.kind == RowKind::Track) {
        addTrack(rank, row, place, top, frame);
    } else if (row.lane && row.unfolding == Unfolding::Folded) {
        addLane(rank, row, place, frame);
    } else if (row.kind == RowKind::Counter) {
        addCounter(model, row, place, row.rank, frame);
    }
}

void FrameBuilder::addCounter(const TimelineModel& model, const LayoutRow& row, const FrameRow& place,
                              std::optional<RankPosition> rank, Frame& frame) const {
    FrameCounterRow bars;
    bars.y = place.y;
    bars.height = place.height - devicePixels(metrics::kTrackGap, pixel_ratio_);
    bars.run = row.run;
    bars.rank = rank;
    bars.counter = row.counter;
    if (const CounterPlace counters = countersAt(model, row.run, rank); counters.index != nullptr) {
        addCounterBars(counters, bars, theme_, measure_, frame);
    }
}

// The marks of the rank that `row` belongs to.
void FrameBuilder::addOverlays(const TimelineModel& model, const RowLayout& layout, std::size_t row,
                               const FrameView& view, Frame& frame) {
    RankPlace place{row, view.rows.scroll};  // the header may be above the upper edge while its streams are visible
    while (layout.rows()[place.row].kind != RowKind::Rank) {
        --place.row;
    }
    if (view.overlays.has(Overlay::Gaps)) {
        addGapMarks(model, layout, place.row, view.rows.scroll, theme_, measure_, frame);
    }
    addBands(model, layout, place, view.overlays, scratch_, frame);
    if (view.overlays.has(Overlay::Stragglers)) {
        addStragglers(model, layout, place, frame);
    }
}

void FrameBuilder::addSteps(const RankView& rank, const FrameRow& place, Frame& frame) const {
    const int height = devicePixels(sizes_.step_band, frame.pixel_ratio);
    const int y = place.y + (place.height - height) / 2;
    if (frame.staysAtTop(y, height)) {
        return;  // it is hidden by the rows that stay at the top
    }
    const auto steps = rank.steps();
    const auto first = std::ranges::partition_point(
        steps, [&](const DrawnStep& s) { return rank.toAxis(s.span.end_ns) <= frame.window.start_ns; });
    const QString words = QCoreApplication::translate("Timeline", "step %1");
    std::int32_t covered = -1;
    for (auto step = first; step != steps.end() && rank.toAxis(step->span.start_ns) < frame.window.end_ns; ++step) {
        const TimeSpan span = rank.toAxis(step->span);
        const std::int32_t x0 = std::max(frame.scale.pixelAt(span.start_ns), covered);
        const std::int32_t x1 = frame.scale.pixelAt(span.end_ns);
        if (x1 <= x0) {
            continue;  // narrower than a pixel: its neighbours set the colour of the band
        }
        covered = x1;
        const QRgb fill = stepFill(*step);
        frame.steps.push_back({x0, x1, y, height, fill});
        const int left = std::max(x0, 0);
        const int right = std::min(x1, frame.width);
        const double room = right - left - 2 * kLabelMargin * frame.pixel_ratio;
        const QString number = QString::number(step->index);
        for (const QString& text : {words.arg(number), number}) {
            const double width = measure_.width(text);
            if (width <= room) {
                frame.labels.push_back(
                    {(left + right - width) / 2, y, height, text, theme_.text_dim.rgb(), FrameLabel::Role::Step, fill});
                break;
            }
        }
    }
}

QRgb FrameBuilder::stepFill(const DrawnStep& step) const {
    constexpr unsigned kEven = 44;  // out of 256
    constexpr unsigned kOdd = 76;
    constexpr unsigned kIncomplete = 110;
    const QRgb back = theme_.track_alt.rgb();
    const QRgb whole = mix(back, theme_.text_dim.rgb(), step.index % 2 != 0 ? kOdd : kEven);
    return step.complete ? whole : mix(back, whole, kIncomplete);
}

void FrameBuilder::addTrack(const RankView& rank, const LayoutRow& row, const FrameRow& place, int top, Frame& frame) {
    if (rank.index == nullptr) {
        return;  // its index is still being built
    }
    const int gap = devicePixels(metrics::kRowGap, frame.pixel_ratio);
    for (std::uint16_t r = 0; r < row.rows; ++r) {
        // If a row ends at a fraction of a pixel, its height is rounded: the space between rows is the same everywhere.
        const int y = devicePixels(top + r * row.row_height, frame.pixel_ratio);
        const int height = devicePixels(top + (r + 1) * row.row_height, frame.pixel_ratio) - gap - y;
        const bool covered = frame.staysAtTop(y, height) && !frame.staysAtTop(place.y, place.height);
        if (!covered && y + height > 0 && y < frame.height) {
            addSliceRow(rank, {y, height, row.run, row.rank, row.track, r, 0, 0}, frame);
        }
    }
}

// Thinner than a stream: it represents all threads of the host, and is not a track.
void FrameBuilder::addLane(const RankView& rank, const LayoutRow& row, const FrameRow& place, Frame& frame) {
    constexpr int kThinner = 6;  // part of its height that is free
    const int free = place.height / kThinner;
    const auto lane = rank.index != nullptr ? hostLane(rank, rank.index->listed.threads()) : std::nullopt;
    if (lane && place.y + place.height > 0 && !frame.staysAtTop(place.y, place.height)) {
        addSliceRow(rank, {place.y + free, place.height - 2 * free, row.run, row.rank, lane->track, lane->depth, 0, 0},
                    frame);
    }
}

void FrameBuilder::addSliceRow(const RankView& rank, FrameSliceRow slice_row, Frame& frame) {
    const TimeSpan window{rank.toFile(frame.window.start_ns), rank.toFile(frame.window.end_ns)};
    const auto step = static_cast<DurationNs>(std::ceil(1.0 / frame.scale.pixels_per_ns));
    const TrackLod& lod = rank.index->tracks[slice_row.track.value];
    slice_row.first = static_cast<std::uint32_t>(frame.items.size());
    addItems(lod.query(rank.trace->tracks[slice_row.track.value], slice_row.depth, window, step, scratch_), rank,
             slice_row.track, looks_, frame);
    slice_row.last = static_cast<std::uint32_t>(frame.items.size());
    addLabels(rank, slice_row, frame);
    frame.slice_rows.push_back(slice_row);
}

void FrameBuilder::addLabels(const RankView& rank, const FrameSliceRow& slice_row, Frame& frame) const {
    constexpr int kTextBeyond = 3;  // part of the height of a text line: space above and below its letters
    if (slice_row.height + kTextBeyond * frame.pixel_ratio < measure_.lineHeight()) {
        return;
    }
    const double margin = kLabelMargin * frame.pixel_ratio;
    const auto narrow = static_cast<std::int32_t>(2 * margin);
    const StringPool& strings = rank.trace->strings;
    const auto& names = rank.trace->tracks[slice_row.track.value].slices.name;
    for (std::uint32_t i = slice_row.first; i < slice_row.last; ++i) {
        const FrameItem& item = frame.items[i];
        if (item.count > 1 || item.x1 - item.x0 <= narrow) {
            continue;
        }
        const int left = std::max(item.x0, 0);
        const int right = std::min(item.x1 - 1, frame.width);
        const double room = right - left - 2 * margin;
        const QString text = fitLabel(strings.view(names[item.slice]), room, measure_);
        if (text.isEmpty()) {
            continue;
        }
        const double x = left + margin + (room - measure_.width(text)) / 2;
        frame.labels.push_back({x, slice_row.y, slice_row.height, text, SliceColors::textOn(item.fill),
                                FrameLabel::Role::Slice, item.fill});
    }
}

}  // namespace rankscope::ui
