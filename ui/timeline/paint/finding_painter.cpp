// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/paint/finding_painter.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/timeline/paint/overlay_painter.h"

namespace rankscope::ui {
namespace {

constexpr int kBarHeight = 4;        // logical pixels, at the bottom of the header
constexpr int kLeastMark = 3;        // device pixels: narrower ones are hard to see
constexpr int kLeastTimeFrame = 10;  // device pixels: narrower outlines next to each other would look like a cage
constexpr int kTimeFill = 34;        // alpha, out of 255

/// The position of a rank in a frame.
struct RankInSight {
    RankPosition rank;
    std::optional<FrameRow> header;
    FrameRect streams;  ///< from the first to the last visible one; empty if none is visible
};

std::vector<RankInSight> ranksInSight(std::uint32_t run, const Frame& frame, const RowLayout& layout,
                                      const TimelineModel& model) {
    std::vector<RankInSight> ranks;
    for (const FrameRow& place : frame.rows) {
        const LayoutRow& row = layout.rows()[place.row];
        const bool of_rank = row.kind == RowKind::Rank || row.kind == RowKind::Track;
        if (!of_rank || row.run != run || row.pinned) {
            continue;
        }
        if (ranks.empty() || ranks.back().rank != row.rank) {
            ranks.push_back({row.rank, {}, {}});
        }
        RankInSight& of = ranks.back();
        if (row.kind == RowKind::Rank) {
            of.header = place;
        } else if (model.rank(run, row.rank)->trace->tracks[row.track.value].kind == TrackKind::Stream) {
            const auto gap = static_cast<std::int32_t>(std::lround(row.gap * frame.pixel_ratio));
            const std::int32_t top = of.streams.height > 0 ? of.streams.y : place.y;
            of.streams = {0, frame.width, top, place.y + place.height - gap - top};
        }
    }
    return ranks;
}

/// The pixels of a span, wide enough to be visible.
FrameRect markOfSpan(const TimeSpan& axis, const Frame& frame) {
    const std::int32_t x0 = frame.scale.pixelAt(axis.start_ns);
    return {x0, std::max(frame.scale.pixelAt(axis.end_ns), x0 + kLeastMark), 0, 0};
}

/// Bars of spans in the header of their rank, and outlines around its streams if they are times.
void addSpans(std::vector<FrameRect> spans, bool times, const RankInSight& rank, const Frame& frame,
              FindingMarkRects& rects) {
    if (!std::ranges::is_sorted(spans, {}, &FrameRect::x0)) {
        std::ranges::sort(spans, {}, &FrameRect::x0);
    }
    std::vector<FrameRect> merged;
    for (const FrameRect& span : spans) {
        if (!merged.empty() && span.x0 <= merged.back().x1 + 1) {
            merged.back().x1 = std::max(merged.back().x1, span.x1);
        } else {
            merged.push_back(span);
        }
    }
    const auto bar = static_cast<std::int32_t>(std::lround(kBarHeight * frame.pixel_ratio));
    for (const FrameRect& span : merged) {
        if (rank.header) {
            rects.bars.push_back({span.x0, span.x1, rank.header->y + rank.header->height - bar, bar});
        }
        if (times && rank.streams.height > 0 && span.x1 - span.x0 >= kLeastTimeFrame) {
            rects.times.push_back({span.x0, span.x1, rank.streams.y, rank.streams.height});
        }
    }
}

QColor severityColour(Severity severity, const Theme& theme) {
    return severity == Severity::High     ? theme.severity_high
           : severity == Severity::Medium ? theme.severity_medium
                                          : theme.severity_low;
}

QRectF boxOf(const QRect& tracks, const Frame& frame, const FrameRect& rect) {
    constexpr double kBeyond = 20;
    const double ratio = frame.pixel_ratio;
    const double x0 = std::max(rect.x0 / ratio, -kBeyond);
    const double x1 = std::min(rect.x1 / ratio, tracks.width() + kBeyond);
    return {tracks.left() + x0, tracks.top() + rect.y / ratio, x1 - x0, rect.height / ratio};
}

}  // namespace

FindingMarkRects rectsOf(const FindingMarks& marks, const Frame& frame, const RowLayout& layout,
                         const TimelineModel& model) {
    const auto runs = model.runs();
    const auto of = std::ranges::find(runs, marks.of, &RunView::run);
    if (marks.empty() || of == runs.end()) {
        return {};
    }
    return rectsOf(static_cast<std::uint32_t>(of - runs.begin()), marks.places, true, frame, layout, model);
}

FindingMarkRects rectsOf(std::uint32_t run, std::span<const FindingPlace> places, bool outlined, const Frame& frame,
                         const RowLayout& layout, const TimelineModel& model) {
    FindingMarkRects rects;
    for (const RankInSight& rank : ranksInSight(run, frame, layout, model)) {
        const RankView& view = *model.rank(run, rank.rank);
        std::vector<FrameRect> times;
        std::vector<FrameRect> slices;
        for (const FindingPlace& place : std::ranges::equal_range(places, rank.rank, {}, &FindingPlace::rank)) {
            const TimeSpan axis = view.toAxis(place.slice.valid() ? view.trace->span(place.slice) : place.span);
            if (axis.end_ns < frame.window.start_ns || axis.start_ns > frame.window.end_ns) {
                continue;
            }
            (place.slice.valid() ? slices : times).push_back(markOfSpan(axis, frame));
            if (!place.slice.valid() || !outlined) {
                continue;
            }
            for (FrameRect rect : rectsOf(frame, model, SliceSelection{run, rank.rank, place.slice})) {
                rect.x1 = std::max(rect.x1, rect.x0 + kLeastMark);
                rects.slices.push_back(rect);
            }
        }
        // A finding that blocks no device is shown at its evidence.
        const bool blocks = !times.empty();
        addSpans(blocks ? std::move(times) : std::move(slices), blocks && outlined, rank, frame, rects);
    }
    return rects;
}

void paintFinding(QPainter& painter, const QRect& tracks, const Frame& frame, const FindingMarkRects& rects,
                  Severity severity, const Theme& theme) {
    paintPlaces(painter, tracks, frame, rects, severityColour(severity, theme), theme);
}

void paintPlaces(QPainter& painter, const QRect& tracks, const Frame& frame, const FindingMarkRects& rects,
                 const QColor& colour, const Theme& theme) {
    QColor fill = colour;
    fill.setAlpha(kTimeFill);
    painter.save();
    for (const FrameRect& rect : rects.times) {
        painter.setClipRect(clipOf(tracks, frame, rect));
        const QRectF box = boxOf(tracks, frame, rect);
        painter.fillRect(box, fill);
        painter.setPen(QPen(colour, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    for (const FrameRect& rect : rects.bars) {
        painter.setClipRect(clipOf(tracks, frame, rect));
        painter.fillRect(boxOf(tracks, frame, rect), colour);
    }
    for (const FrameRect& rect : rects.slices) {
        painter.setClipRect(clipOf(tracks, frame, rect));
        const QRectF box = boxOf(tracks, frame, rect);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.track, 3, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(box);
        painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(box);
    }
    painter.restore();
}

}  // namespace rankscope::ui
