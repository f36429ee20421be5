// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/paint/tracks_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "ui/theme/slice_colors.h"
#include "ui/timeline/frame/counter_bars.h"
#include "ui/timeline/frame/gap_look.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/paint/host_painter.h"
#include "ui/timeline/paint/path_painter.h"

namespace rankscope::ui {
namespace {

constexpr double kOutline = 1.5;  // logical pixels

/// Shapes in the device pixels of a frame.
class FrameShapes {
  public:
    FrameShapes(QPainter& painter, const Frame& frame) : painter_(painter), frame_(frame) {}

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

/// The stripes of a gap, clipped at its sides.
QPainterPath stripesOf(const FrameGap& gap, const GapLook& look, const Frame& frame) {
    const double left = std::max(gap.x0, 0);
    const double right = std::min(gap.x1, frame.width);
    const double height = gap.height;
    const int half = look.period / 2;  // whole pixels, as painted
    const QPolygonF box(QRectF(left, gap.y, right - left, height));
    QPainterPath path;
    // Shifted by half a pixel, since pixels are coloured by their middle.
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

void paintGapShapes(const FrameShapes& shapes, const Frame& frame, const Theme& theme) {
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

void paintShapesBehind(const FrameShapes& shapes, const Frame& frame, const RowLayout& layout, const Theme& theme) {
    shapes.fill(0, frame.width, 0, frame.height, theme.track.rgb());
    for (const FrameRow& place : frame.rows) {
        const RowKind kind = layout.rows()[place.row].kind;
        if (isHeader(kind)) {
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
    paintGapShapes(shapes, frame, theme);
}

void paintShapesOver(const FrameShapes& shapes, const Frame& frame, const Theme& theme) {
    for (const FrameBandRow& band_row : frame.band_rows) {
        const QColor& color = band_row.kind == BandKind::Overlap ? theme.overlap : theme.exposed;
        for (std::uint32_t i = band_row.first; i < band_row.last; ++i) {
            const FrameBand& band = frame.bands[i];
            const auto strength = static_cast<unsigned>(std::lerp(70.0, 256.0, band.share / 255.0));
            shapes.fill(band.x0, band.x1, band_row.y, band_row.height > 3 ? band_row.height - 1 : band_row.height,
                        mix(theme.track.rgb(), color.rgb(), strength));
        }
    }
    QPen pen(theme.straggler, 1.5 * frame.pixel_ratio);
    pen.setJoinStyle(Qt::MiterJoin);
    for (const FrameStraggler& late : frame.stragglers) {
        shapes.fill(late.x0, late.x1, late.y, metrics::kStragglerBar * frame.pixel_ratio, theme.straggler.rgb());
        if (!late.outlined()) {
            continue;
        }
        shapes.painter().setPen(pen);
        shapes.painter().setBrush(Qt::NoBrush);
        shapes.painter().drawRect(QRectF(late.x0, late.y, late.x1 - late.x0, late.height));
    }
}

void paintPathShapes(const FrameShapes& shapes, const Frame& frame, const Theme& theme) {
    const PathLook look(theme, frame);
    const auto fill = [&](int x0, int x1, int y, int height, QRgb color) { shapes.fill(x0, x1, y, height, color); };
    shapes.cutAt(frame.sticky);
    for (const FramePathLink& link : frame.path_links) {
        fillPathLink(link, look, fill);
    }
    for (const FramePathMark& mark : frame.path) {
        shapes.cutAt(mark.stays ? 0 : frame.sticky);
        fillPathMark(frame, mark, look, fill);
    }
}

}  // namespace

TracksPainter::TracksPainter(const Theme& theme, double pixel_ratio)
    : theme_(theme), strips_(theme), texts_(theme, pixel_ratio) {}

void TracksPainter::paint(const Frame& frame, const RowLayout& layout, QImage& image) {
    const Canvas all(image);
    const Canvas scrolled = all.below(frame.sticky);
    strips_.paint(frame, layout, all);
    const HostBarLook look(theme_);
    for (const FrameHostRow& row : frame.host_rows) {
        fillHostBars(frame, row, look,
                     [&](int x0, int x1, int y, int height, QRgb color) { scrolled.fill(x0, x1, y, height, color); });
    }
    for (const FrameCounterRow& row : frame.counter_rows) {
        fillCounterBars(frame, row, [&](int x0, int x1, int y, int height, QRgb color) {
            scrolled.fill(x0, x1, y, height, color);
        });
    }
    paintSolidLabels(frame, all);
    paintStragglers(frame, scrolled);
    paintGapLabels(frame, image);
    paintPath(frame, all);
    if (frame.sticky > 0) {
        const int line = std::max(1, static_cast<int>(frame.pixel_ratio));
        all.fill(0, frame.width, frame.sticky - 2 * line, line, theme_.accent.rgb());
    }
}

void TracksPainter::paintStragglers(const Frame& frame, const Canvas& canvas) const {
    const QRgb red = theme_.straggler.rgb();
    const int bar = static_cast<int>(std::lround(metrics::kStragglerBar * frame.pixel_ratio));
    const int line = std::max(1, static_cast<int>(std::lround(kOutline * frame.pixel_ratio)));
    for (const FrameStraggler& late : frame.stragglers) {
        const int x1 = std::max(late.x1, late.x0 + line);
        const int right = std::max(late.x0, x1 - line);
        canvas.fill(late.x0, x1, late.y, bar, red);
        if (!late.outlined()) {
            continue;
        }
        canvas.fill(late.x0, x1, late.y + late.height - line, line, red);
        canvas.fill(late.x0, late.x0 + line, late.y, late.height, red);
        canvas.fill(right, x1, late.y, late.height, red);
    }
}

void TracksPainter::paintPath(const Frame& frame, const Canvas& all) const {
    const PathLook look(theme_, frame);
    const Canvas scrolled = all.below(frame.sticky);
    for (const FramePathLink& link : frame.path_links) {
        fillPathLink(link, look,
                     [&](int x0, int x1, int y, int height, QRgb color) { scrolled.fill(x0, x1, y, height, color); });
    }
    for (const FramePathMark& mark : frame.path) {
        const Canvas& canvas = mark.stays ? all : scrolled;
        fillPathMark(frame, mark, look,
                     [&](int x0, int x1, int y, int height, QRgb color) { canvas.fill(x0, x1, y, height, color); });
    }
}

// Labels of slices and steps are on a single colour, so they are copied.
void TracksPainter::paintSolidLabels(const Frame& frame, const Canvas& all) {
    const Canvas scrolled = all.below(frame.sticky);
    for (const FrameLabel& label : frame.labels) {
        if (label.role != FrameLabel::Role::Gap) {
            texts_.paintOnSolid(label, frame.staysAtTop(label.y, label.height) ? all : scrolled);
        }
    }
}

void TracksPainter::paintGapLabels(const Frame& frame, QImage& image) {
    QPainter painter(&image);
    painter.setFont(texts_.font());
    if (frame.sticky > 0) {
        painter.setClipRect(0, frame.sticky, frame.width, frame.height - frame.sticky);
    }
    for (const FrameLabel& label : frame.labels) {
        if (label.role == FrameLabel::Role::Gap) {
            paintPill(label, frame, painter);
            painter.setPen(QColor::fromRgb(label.color));
            painter.drawStaticText(QPointF(label.x, label.y + texts_.topIn(label.height)), texts_.laidOut(label.text));
        }
    }
}

void TracksPainter::paintPill(const FrameLabel& label, const Frame& frame, QPainter& painter) const {
    const double pad = 5 * frame.pixel_ratio;
    const double height = texts_.measure().lineHeight() + 2 * frame.pixel_ratio;
    const QRectF pill(label.x - pad, label.y + (label.height - height) / 2,
                      texts_.measure().width(label.text) + 2 * pad, height);
    QColor back = theme_.track;
    back.setAlpha(225);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(back);
    painter.drawRoundedRect(pill, height / 2, height / 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintShapes(QPainter& painter, const QRect& tracks, const Frame& frame, const RowLayout& layout,
                 const Theme& theme) {
    painter.save();
    painter.translate(tracks.topLeft());
    painter.scale(1 / frame.pixel_ratio, 1 / frame.pixel_ratio);
    const FrameShapes shapes(painter, frame);
    shapes.cutAt(0);
    paintShapesBehind(shapes, frame, layout, theme);
    for (const FrameSliceRow& slice_row : frame.slice_rows) {
        shapes.cutAt(frame.staysAtTop(slice_row.y, slice_row.height) ? 0 : frame.sticky);
        for (std::uint32_t i = slice_row.first; i < slice_row.last; ++i) {
            const FrameItem& item = frame.items[i];
            shapes.fill(item.x0, item.drawnEnd(), slice_row.y, slice_row.height, item.fill);
        }
    }
    shapes.cutAt(frame.sticky);
    for (const FrameHostRow& row : frame.host_rows) {
        fillHostBars(frame, row, HostBarLook(theme),
                     [&](int x0, int x1, int y, int height, QRgb color) { shapes.fill(x0, x1, y, height, color); });
    }
    for (const FrameCounterRow& row : frame.counter_rows) {
        fillCounterBars(frame, row,
                        [&](int x0, int x1, int y, int height, QRgb color) { shapes.fill(x0, x1, y, height, color); });
    }
    paintShapesOver(shapes, frame, theme);
    const TextMeasure measure(labelFont(theme, frame.pixel_ratio));
    painter.setFont(labelFont(theme, frame.pixel_ratio));
    for (const FrameLabel& label : frame.labels) {
        shapes.cutAt(frame.staysAtTop(label.y, label.height) ? 0 : frame.sticky);
        painter.setPen(QColor::fromRgb(label.color));
        painter.drawText(QPointF(label.x, label.y + measure.baselineIn(label.height)), label.text);
    }
    paintPathShapes(shapes, frame, theme);
    painter.restore();
}

}  // namespace rankscope::ui
