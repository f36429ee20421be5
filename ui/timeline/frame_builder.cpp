// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame_builder.h"

#include <algorithm>
#include <cmath>

#include "ui/timeline/file_placer.h"
#include "ui/timeline/gap_marks.h"
#include "ui/timeline/metrics.h"
#include "ui/timeline/overlay_marks.h"

namespace rankscope::ui {
namespace {

constexpr int kInsetFrom = 4;        // pixels: narrower slices have no pixel to spare
constexpr double kLabelMargin = 4;   // logical pixels at either side
constexpr std::size_t kAhead = 12;   // items: as many reads of memory are under way at once
constexpr unsigned kFaintest = 110;  // of 256: how much colour a bucket has that is nearly empty

int devicePixels(int logical, double ratio) {
    return static_cast<int>(std::lround(logical * ratio));
}

}  // namespace

BucketFills::BucketFills(const SliceColors& colors, QRgb background) {
    for (std::size_t hue = 0; hue < kHueCount; ++hue) {
        for (std::size_t share = 0; share < kShares; ++share) {
            fills_[hue][share] = mix(background, colors.middle(static_cast<Hue>(hue)),
                                     kFaintest + static_cast<unsigned>(share * (256 - kFaintest) / (kShares - 1)));
        }
    }
}

/// What tells places and colours of one track, each found once: a frame asks for hundreds of thousands of slices.
struct FrameBuilder::LaneLook {
    const RankView& rank;
    const Track& track;
    FilePlacer place;
    std::span<const WorkClass> classes;  // empty where they are not known

    LaneLook(const RankView& of, TrackId id, const PixelScale& scale)
        : rank(of), track(of.trace->tracks[id.value]), place(of, scale) {
        if (rank.facts != nullptr && id.value < rank.facts->work_classes.size()) {
            classes = rank.facts->work_classes[id.value];
        }
    }
    void prefetch(SliceIndex slice) const {
        __builtin_prefetch(&track.slices.category[slice]);
        if (slice < classes.size()) {
            __builtin_prefetch(&classes[slice]);
        }
    }
    [[nodiscard]] Hue hue(SliceIndex slice) const {
        return hueOf(track.slices.category[slice], slice < classes.size() ? classes[slice] : WorkClass::None);
    }
    [[nodiscard]] const NameLook& name(SliceIndex slice) const {
        return rank.index->names[track.slices.name[slice].value];
    }
};

FrameBuilder::FrameBuilder(const Theme& theme, double pixel_ratio)
    : theme_(theme),
      colors_(theme),
      bucket_fills_(colors_, theme.track.rgb()),
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
    return frame;
}

void FrameBuilder::addRow(const TimelineModel& model, const RowLayout& layout, std::size_t i, const FrameView& view,
                          Frame& frame) {
    const LayoutRow& row = layout.rows()[i];
    const int top = view.rows.toView(row.y);
    const int y = devicePixels(top, pixel_ratio_);
    const FrameRow place{i, y, devicePixels(top + row.height, pixel_ratio_) - y};
    frame.rows.push_back(place);
    if (row.kind == RowKind::Run || row.kind == RowKind::Alike) {
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
        addTrack(rank, row, place, frame);
    }
}

// The marks of the rank that `row` belongs to.
void FrameBuilder::addOverlays(const TimelineModel& model, const RowLayout& layout, std::size_t row,
                               const FrameView& view, Frame& frame) {
    RankPlace place{row, view.rows.scroll};  // the header may be above the upper edge while its streams are in sight
    while (layout.rows()[place.row].kind != RowKind::Rank) {
        --place.row;
    }
    if (view.overlays.has(Overlay::Gaps)) {
        addGapMarks(model, layout, place.row, view.rows.scroll, theme_, measure_, frame);
    }
    addBands(model, layout, place, view.overlays, found_, frame);
    if (view.overlays.has(Overlay::Stragglers)) {
        addStragglers(model, layout, place, frame);
    }
}

void FrameBuilder::addSteps(const RankView& rank, const FrameRow& place, Frame& frame) const {
    const int height = devicePixels(sizes_.step_band, frame.pixel_ratio);
    const int y = place.y + (place.height - height) / 2;
    if (frame.staysAtTop(y, height)) {
        return;  // it is behind the rows that stay at the top
    }
    const auto first = std::ranges::partition_point(
        rank.steps, [&](const StepMark& s) { return s.span.end_ns <= frame.window.start_ns; });
    std::int32_t covered = -1;
    for (auto step = first; step != rank.steps.end() && step->span.start_ns < frame.window.end_ns; ++step) {
        const std::int32_t x0 = std::max(frame.scale.pixelAt(step->span.start_ns), covered);
        const std::int32_t x1 = frame.scale.pixelAt(step->span.end_ns);
        if (x1 <= x0) {
            continue;  // narrower than a pixel: the band is coloured by its neighbours
        }
        covered = x1;
        const QRgb fill = stepFill(*step);
        frame.steps.push_back({x0, x1, y, height, fill, x1 - x0 >= kInsetFrom});
        const int left = std::max(x0, 0);
        const int right = std::min(x1, frame.width);
        const double room = right - left - 2 * kLabelMargin * frame.pixel_ratio;
        const QString number = QString::number(step->index);
        for (const QString& text : {QStringLiteral("step ") + number, number}) {
            const double width = measure_.width(text);
            if (width <= room) {
                frame.labels.push_back(
                    {(left + right - width) / 2, y, height, text, theme_.text_dim.rgb(), FrameLabel::Role::Step, fill});
                break;
            }
        }
    }
}

QRgb FrameBuilder::stepFill(const StepMark& step) const {
    constexpr unsigned kEven = 44;  // of 256
    constexpr unsigned kOdd = 76;
    constexpr unsigned kIncomplete = 110;
    const QRgb back = theme_.track_alt.rgb();
    const QRgb whole = mix(back, theme_.text_dim.rgb(), step.index % 2 != 0 ? kOdd : kEven);
    return step.complete ? whole : mix(back, whole, kIncomplete);
}

void FrameBuilder::addTrack(const RankView& rank, const LayoutRow& row, const FrameRow& place, Frame& frame) {
    if (rank.index == nullptr) {
        return;  // its index is still being built
    }
    for (std::uint16_t r = 0; r < row.rows; ++r) {
        const int y = place.y + devicePixels(r * row.row_height, frame.pixel_ratio);
        const int height = devicePixels(row.row_height - metrics::kRowGap, frame.pixel_ratio);
        const bool covered = frame.staysAtTop(y, height) && !frame.staysAtTop(place.y, place.height);
        if (!covered && y + height > 0 && y < frame.height) {
            addLane(rank, {y, height, row.run, row.rank, row.track, r, 0, 0}, frame);
        }
    }
}

void FrameBuilder::addLane(const RankView& rank, FrameLane lane, Frame& frame) {
    found_.clear();
    const LaneLook look(rank, lane.track, frame.scale);
    const TimeSpan window{rank.toFile(frame.window.start_ns), rank.toFile(frame.window.end_ns)};
    const auto step = static_cast<DurationNs>(std::ceil(1.0 / frame.scale.pixels_per_ns));
    rank.index->tracks[lane.track.value].query(look.track, lane.row, window, step, found_);
    lane.first = static_cast<std::uint32_t>(frame.items.size());
    for (std::size_t i = 0; i < found_.size(); ++i) {
        // The buckets' slices lie far apart in the tables: ask for what will be read soon.
        if (i + kAhead < found_.size() && found_[i + kAhead].count > 1) {
            look.prefetch(found_[i + kAhead].slice);
        }
        addItem(look, lane, found_[i], frame);
    }
    lane.last = static_cast<std::uint32_t>(frame.items.size());
    addLabels(rank, lane, frame);
    frame.lanes.push_back(lane);
}

void FrameBuilder::addItem(const LaneLook& look, const FrameLane& lane, const LodItem& item, Frame& frame) const {
    std::int32_t x0 = look.place.pixelAt(item.span.start_ns);
    const std::int32_t x1 = std::max(look.place.pixelAt(item.span.end_ns), x0 + 1);
    // A wide slice leaves the pixel of a short one before it alone, so that none vanishes.
    if (frame.items.size() > lane.first) {
        const std::int32_t covered = frame.items.back().x1;
        x0 = covered < x1 ? std::max(x0, covered) : x0;
    }
    if (x1 <= 0 || x0 >= frame.width) {
        return;
    }
    // Written in place: to put it together elsewhere and copy it takes half as long again.
    FrameItem& out = frame.items.emplace_back();
    out.x0 = x0;
    out.x1 = x1;
    out.slice = item.slice;
    out.count = item.count;
    out.inset = x1 - x0 >= kInsetFrom;
    if (item.count > 1) {
        // The names of many slices are not looked at: in a large trace each look is memory that no cache holds.
        out.fill = bucket_fills_.fill(look.hue(item.slice), item);
    } else {
        const NameLook& name = look.name(item.slice);
        out.fill = colors_.fill(look.hue(item.slice), name.shade);
        out.name_hash = name.hash;
    }
}

void FrameBuilder::addLabels(const RankView& rank, const FrameLane& lane, Frame& frame) const {
    const double margin = kLabelMargin * frame.pixel_ratio;
    const StringPool& strings = rank.trace->strings;
    const auto& names = rank.trace->tracks[lane.track.value].slices.name;
    for (std::uint32_t i = lane.first; i < lane.last; ++i) {
        const FrameItem& item = frame.items[i];
        const int left = std::max(item.x0, 0);
        const int right = std::min(item.x1 - 1, frame.width);
        const double room = right - left - 2 * margin;
        if (item.count > 1 || room <= 0) {
            continue;
        }
        const QString text = fitLabel(strings.view(names[item.slice]), room, measure_);
        if (text.isEmpty()) {
            continue;
        }
        const double x = left + margin + (room - measure_.width(text)) / 2;
        frame.labels.push_back(
            {x, lane.y, lane.height, text, SliceColors::textOn(item.fill), FrameLabel::Role::Slice, item.fill});
    }
}

}  // namespace rankscope::ui
