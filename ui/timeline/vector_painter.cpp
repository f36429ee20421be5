// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/vector_painter.h"

#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "ui/theme/slice_colors.h"
#include "ui/timeline/gap_look.h"
#include "ui/timeline/label_text.h"
#include "ui/timeline/metrics.h"

namespace rankscope::ui {
namespace {

/// Shapes in the device pixels of a frame.
class Shapes {
  public:
    Shapes(QPainter& painter, const Frame& frame) : painter_(painter), frame_(frame) {}

    void fill(double x0, double x1, double y, double height, QRgb color) const {
        const double left = std::max(x0, 0.0);
        const double right = std::min(x1, static_cast<double>(frame_.width));
        if (right > left) {
            painter_.fillRect(QRectF(left, y, right - left, height), QColor::fromRgb(color));
        }
    }
    void cutAt(int y) const { painter_.setClipRect(0, y, frame_.width, frame_.height - y); }
    [[nodiscard]] QPainter& painter() const { return painter_; }

  private:
    QPainter& painter_;
    const Frame& frame_;
};

/// The stripes of a gap, cut off at its sides.
QPainterPath stripesOf(const FrameGap& gap, const GapLook& look, const Frame& frame) {
    const double left = std::max(gap.x0, 0);
    const double right = std::min(gap.x1, frame.width);
    const double height = gap.height;
    const int half = look.period / 2;  // whole pixels, as painted
    const QPolygonF box(QRectF(left, gap.y, right - left, height));
    QPainterPath path;
    // Half a pixel further, as pixels are painted by what is at their middle.
    const double first = std::floor((left + look.phase) / look.period) * look.period - look.phase + 0.5;
    for (double x = first; x - height < right; x += look.period) {
        const double end = x + half;
        const QPolygonF stripe({QPointF(x, gap.y), QPointF(end, gap.y), QPointF(end - height, gap.y + height),
                                QPointF(x - height, gap.y + height)});
        path.addPolygon(stripe.intersected(box));
        path.closeSubpath();
    }
    return path;
}

void paintGaps(const Shapes& shapes, const Frame& frame, const Theme& theme) {
    const GapLook look(frame, theme);
    for (const FrameGap& gap : frame.gaps) {
        if (GapLook::isNarrow(gap)) {
            const double strength = std::lerp(GapLook::kFaintestMark, GapLook::kStrongestMark, gap.share);
            const QRgb color = mix(theme.track.rgb(), look.edge, static_cast<unsigned>(strength));
            shapes.fill(gap.x0, gap.x1, gap.y, gap.height, color);
            continue;
        }
        shapes.fill(gap.x0, gap.x1, gap.y, gap.height, look.back);
        shapes.painter().fillPath(stripesOf(gap, look, frame), QColor::fromRgb(look.stripe));
        shapes.fill(gap.x0, gap.x0 + 1, gap.y, gap.height, look.edge);
        shapes.fill(gap.x1 - 1, gap.x1, gap.y, gap.height, look.edge);
    }
}

void paintBehind(const Shapes& shapes, const Frame& frame, const RowLayout& layout, const Theme& theme) {
    shapes.fill(0, frame.width, 0, frame.height, theme.track.rgb());
    for (const FrameRow& place : frame.rows) {
        const RowKind kind = layout.rows()[place.row].kind;
        if (kind == RowKind::Run || kind == RowKind::Rank || kind == RowKind::Alike) {
            const QColor& back = kind == RowKind::Rank ? theme.track_alt : theme.surface;
            shapes.fill(0, frame.width, place.y, place.height, back.rgb());
            shapes.fill(0, frame.width, place.y, frame.pixel_ratio, theme.border.rgb());
        }
    }
    for (const RulerTick& tick : frame.ruler.ticks) {
        if (tick.major) {
            const int x = frame.scale.pixelAt(tick.at_ns);
            shapes.fill(x, x + 1, 0, frame.height, theme.grid.rgb());
        }
    }
    for (const FrameStep& step : frame.steps) {
        shapes.fill(step.x0, step.drawnEnd(), step.y, step.height, step.fill);
    }
    shapes.cutAt(frame.sticky);
    paintGaps(shapes, frame, theme);
}

void paintOver(const Shapes& shapes, const Frame& frame, const Theme& theme) {
    for (const FrameBandLane& lane : frame.band_lanes) {
        const QColor& color = lane.kind == BandKind::Overlap ? theme.overlap : theme.exposed;
        for (std::uint32_t i = lane.first; i < lane.last; ++i) {
            const FrameBand& band = frame.bands[i];
            const auto strength = static_cast<unsigned>(std::lerp(70.0, 256.0, band.share / 255.0));
            shapes.fill(band.x0, band.x1, lane.y, lane.height > 3 ? lane.height - 1 : lane.height,
                        mix(theme.track.rgb(), color.rgb(), strength));
        }
    }
    QPen pen(theme.straggler, 1.5 * frame.pixel_ratio);
    pen.setJoinStyle(Qt::MiterJoin);
    for (const FrameStraggler& late : frame.stragglers) {
        shapes.fill(late.x0, late.x1, late.y, metrics::kStragglerBar * frame.pixel_ratio, theme.straggler.rgb());
        shapes.painter().setPen(pen);
        shapes.painter().setBrush(Qt::NoBrush);
        shapes.painter().drawRect(QRectF(late.x0, late.y, late.x1 - late.x0, late.height));
    }
}

}  // namespace

void paintShapes(QPainter& painter, const QRect& tracks, const Frame& frame, const RowLayout& layout,
                 const Theme& theme) {
    painter.save();
    painter.translate(tracks.topLeft());
    painter.scale(1 / frame.pixel_ratio, 1 / frame.pixel_ratio);
    const Shapes shapes(painter, frame);
    shapes.cutAt(0);
    paintBehind(shapes, frame, layout, theme);
    for (const FrameLane& lane : frame.lanes) {
        shapes.cutAt(frame.staysAtTop(lane.y, lane.height) ? 0 : frame.sticky);
        for (std::uint32_t i = lane.first; i < lane.last; ++i) {
            const FrameItem& item = frame.items[i];
            shapes.fill(item.x0, item.drawnEnd(), lane.y, lane.height, item.fill);
        }
    }
    shapes.cutAt(frame.sticky);
    paintOver(shapes, frame, theme);
    const TextMeasure measure(labelFont(theme, frame.pixel_ratio));
    painter.setFont(labelFont(theme, frame.pixel_ratio));
    for (const FrameLabel& label : frame.labels) {
        shapes.cutAt(frame.staysAtTop(label.y, label.height) ? 0 : frame.sticky);
        painter.setPen(QColor::fromRgb(label.color));
        painter.drawText(QPointF(label.x, label.y + measure.baselineIn(label.height)), label.text);
    }
    painter.restore();
}

}  // namespace rankscope::ui
