// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/selection/slice_hits.h"

#include <algorithm>

#include "ui/timeline/paint/overlay_painter.h"

namespace rankscope::ui {
namespace {

constexpr double kBar = 3;      // logical pixels along the bottom of a row
constexpr int kNarrow = 4;      // device pixels: narrower slices get only the bar
constexpr int kTintAlpha = 64;  // alpha, out of 255

}  // namespace

std::size_t SliceHits::Hash::operator()(const Row& row) const {
    constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio: near numbers fall far apart
    auto key = static_cast<std::uint64_t>(static_cast<std::size_t>(row.rank));
    key = (key << 16U) ^ row.track.value;
    key = (key << 16U) ^ (std::uint64_t{row.run} << 12U) ^ row.depth;
    return static_cast<std::size_t>((key * kSpread) >> 16U);
}

std::span<const SliceIndex> SliceHits::on(const Row& row) const {
    const auto at = rows_.find(row);
    return at != rows_.end() ? std::span<const SliceIndex>(at->second) : std::span<const SliceIndex>();
}

std::vector<HitStretch> hitStretches(const Frame& frame, const FrameSliceRow& slice_row, const TimelineModel& model,
                                     const SliceHits& hits) {
    std::vector<HitStretch> marks;
    const auto slices = hits.on({slice_row.run, slice_row.rank, slice_row.track, slice_row.depth});
    if (slices.empty()) {
        return marks;
    }
    const RankView& rank = *model.rank(slice_row.run, slice_row.rank);
    const SliceTable& table = rank.trace->tracks[slice_row.track.value].slices;
    // Slices of one row do not overlap, so those that end later also start later.
    auto at = std::ranges::partition_point(
        slices, [&, from = rank.toFile(frame.window.start_ns)](SliceIndex i) { return table.end_ns[i] < from; });
    while (at != slices.end()) {
        const TimeSpan span = rank.toAxis(table.span(*at));
        if (span.start_ns >= frame.window.end_ns) {
            break;
        }
        const std::int32_t x0 = std::max(frame.scale.pixelAt(span.start_ns), 0);
        const std::int32_t x1 = std::max(frame.scale.pixelAt(span.end_ns), x0 + 1);
        if (!marks.empty() && x0 <= marks.back().x1) {
            marks.back().x1 = std::min(x1, frame.width);  // they touch
        } else {
            marks.push_back({x0, std::min(x1, frame.width)});
        }
        const TimeNs next = rank.toFile(frame.scale.timeAt(x1));
        at = std::partition_point(std::next(at), slices.end(), [&](SliceIndex i) { return table.end_ns[i] < next; });
    }
    return marks;
}

void paintHits(QPainter& painter, const QRect& tracks, const Frame& frame, const TimelineModel& model,
               const SliceHits& hits, const Theme& theme) {
    painter.save();
    QColor tint = theme.accent;
    tint.setAlpha(kTintAlpha);
    const double ratio = frame.pixel_ratio;
    for (const FrameSliceRow& slice_row : frame.slice_rows) {
        const std::vector<HitStretch> marks = hitStretches(frame, slice_row, model, hits);
        if (marks.empty()) {
            continue;
        }
        painter.setClipRect(clipOf(tracks, frame, {0, 0, slice_row.y, slice_row.height}));
        std::vector<QRectF> bars;
        std::vector<QRectF> tints;
        for (const HitStretch& mark : marks) {
            const QRectF box(tracks.left() + mark.x0 / ratio, tracks.top() + slice_row.y / ratio,
                             (mark.x1 - mark.x0) / ratio, slice_row.height / ratio);
            bars.emplace_back(box.left(), box.bottom() - kBar, box.width(), kBar);
            if (mark.x1 - mark.x0 >= kNarrow) {
                tints.push_back(box);
            }
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(tint);
        painter.drawRects(tints.data(), static_cast<int>(tints.size()));
        painter.setBrush(theme.text);
        painter.drawRects(bars.data(), static_cast<int>(bars.size()));
    }
    painter.restore();
}

}  // namespace rankscope::ui
