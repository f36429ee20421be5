// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/tracks_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/slice_colors.h"
#include "ui/timeline/metrics.h"

namespace rankscope::ui {
namespace {

constexpr int kHatchPeriod = 8;      // logical pixels
constexpr int kNarrowGap = 4;        // device pixels: a narrower mark is solid
constexpr unsigned kHatchBack = 34;  // of 256: amber between the stripes
constexpr unsigned kHatchStripe = 92;
constexpr double kFaintestBand = 70;  // of 256: a band that hardly covers its pixel
constexpr double kOutline = 1.5;      // logical pixels
constexpr double kFaintestMark = 70;  // of 256: a mark that is hardly blocked
constexpr double kStrongestMark = 220;

}  // namespace

TracksPainter::TracksPainter(const Theme& theme, double pixel_ratio) : theme_(theme), texts_(theme, pixel_ratio) {}

void TracksPainter::paint(const Frame& frame, const RowLayout& layout, QImage& image) {
    const Canvas all(image);
    const Canvas scrolled = all.below(frame.sticky);
    paintRows(frame, layout, all);
    paintSteps(frame, scrolled);
    paintGaps(frame, scrolled);
    for (const FrameLane& lane : frame.lanes) {
        paintLane(frame, lane, frame.staysAtTop(lane.y, lane.height) ? all : scrolled);
    }
    paintBands(frame, scrolled);
    paintStragglers(frame, scrolled);
    paintLabels(frame, all, image);
    if (frame.sticky > 0) {
        const int line = std::max(1, static_cast<int>(frame.pixel_ratio));
        all.fill(0, frame.width, frame.sticky - 2 * line, line, theme_.accent.rgb());
    }
}

void TracksPainter::paintBands(const Frame& frame, const Canvas& canvas) {
    const QRgb back = theme_.track.rgb();
    for (const FrameBandLane& lane : frame.band_lanes) {
        const QRgb color = (lane.kind == BandKind::Overlap ? theme_.overlap : theme_.exposed).rgb();
        const int gap = lane.height > 3 ? 1 : 0;
        line_.clear(frame.width);
        for (std::uint32_t i = lane.first; i < lane.last; ++i) {
            const FrameBand& band = frame.bands[i];
            const double strength = std::lerp(kFaintestBand, 256.0, band.share);
            line_.add(band.x0, band.x1, mix(back, color, static_cast<unsigned>(strength)));
        }
        line_.paint(canvas, lane.y, lane.height - gap);
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
        canvas.fill(late.x0, x1, late.y + late.height - line, line, red);
        canvas.fill(late.x0, late.x0 + line, late.y, late.height, red);
        canvas.fill(right, x1, late.y, late.height, red);
    }
}

// The rows behind the slices, with the grid: each line of pixels is written once.
void TracksPainter::paintRows(const Frame& frame, const RowLayout& layout, const Canvas& all) {
    const int hairline = std::max(1, static_cast<int>(frame.pixel_ratio));
    const auto paint = [&](QRgb back, int from_y, int to_y) {
        line_.clear(frame.width);
        line_.add(0, frame.width, back);
        for (const RulerTick& tick : frame.ruler.ticks) {
            const int x = frame.scale.pixelAt(tick.at_ns);
            if (tick.major) {
                line_.add(x, x + 1, theme_.grid.rgb());
            }
        }
        line_.paint(all, from_y, to_y - from_y);
    };
    int painted = 0;
    for (const FrameRow& place : frame.rows) {
        const RowKind kind = layout.rows()[place.row].kind;
        const bool stays = frame.staysAtTop(place.y, place.height);
        if (kind == RowKind::Track || kind == RowKind::Group || stays) {
            continue;
        }
        const int top = std::max(place.y, frame.sticky);
        paint(theme_.track.rgb(), painted, top);
        painted = std::min(place.y + place.height, frame.height);
        paint((kind == RowKind::Rank ? theme_.track_alt : theme_.surface).rgb(), top, painted);
        all.below(frame.sticky).fill(0, frame.width, place.y, hairline, theme_.border.rgb());
    }
    paint(theme_.track.rgb(), painted, frame.height);
}

void TracksPainter::paintSteps(const Frame& frame, const Canvas& canvas) const {
    const QRgb back = theme_.track_alt.rgb();
    const QRgb even = mix(back, theme_.text_dim.rgb(), 44);
    const QRgb odd = mix(back, theme_.text_dim.rgb(), 76);
    for (const FrameStep& step : frame.steps) {
        QRgb color = step.odd ? odd : even;
        if (!step.complete) {
            color = mix(back, color, 110);
        }
        const int inset = step.x1 - step.x0 > 3 ? 1 : 0;
        canvas.fill(step.x0, step.x1 - inset, step.y, step.height, color);
    }
}

void TracksPainter::paintGaps(const Frame& frame, const Canvas& canvas) {
    const QRgb track = theme_.track.rgb();
    const QRgb amber = theme_.gap.rgb();
    for (std::size_t i = 0; i < frame.gaps.size();) {
        const std::int32_t y = frame.gaps[i].y;
        const std::int32_t height = frame.gaps[i].height;
        line_.clear(frame.width);
        // The narrow ones of one rank together: thousands of them stand in one band.
        std::size_t last = i;
        for (; last < frame.gaps.size() && frame.gaps[last].y == y && frame.gaps[last].height == height; ++last) {
            const FrameGap& gap = frame.gaps[last];
            if (gap.x1 - gap.x0 < kNarrowGap) {
                const double share = std::lerp(kFaintestMark, kStrongestMark, gap.share);
                line_.add(gap.x0, gap.x1, mix(track, amber, static_cast<unsigned>(share)));
            }
        }
        line_.paint(canvas, y, height);
        for (; i < last; ++i) {
            if (frame.gaps[i].x1 - frame.gaps[i].x0 >= kNarrowGap) {
                paintHatch(frame, frame.gaps[i], canvas);
            }
        }
    }
}

void TracksPainter::paintHatch(const Frame& frame, const FrameGap& gap, const Canvas& canvas) const {
    const QRgb amber = theme_.gap.rgb();
    const QRgb back = mix(theme_.track.rgb(), amber, kHatchBack);
    const QRgb stripe = mix(theme_.track.rgb(), amber, kHatchStripe);
    const int period = static_cast<int>(std::lround(kHatchPeriod * frame.pixel_ratio));
    // Stripes hang on the time axis and on the band, so they travel with the view.
    const auto phase = static_cast<int>((frame.scale.origin_px % period + period) % period);
    const int left = std::max(gap.x0, 0);
    const int right = std::min(gap.x1, canvas.width());
    const int bottom = std::min(gap.y + gap.height, canvas.height());
    for (int y = std::max(gap.y, canvas.top()); y < bottom && left < right; ++y) {
        QRgb* line = canvas.line(y);
        int place = (left + phase + (y - gap.y)) % period;
        for (int x = left; x < right; ++x) {
            line[x] = place < period / 2 ? stripe : back;
            place = place + 1 == period ? 0 : place + 1;
        }
    }
    canvas.fill(gap.x0, gap.x0 + 1, gap.y, gap.height, amber);
    canvas.fill(gap.x1 - 1, gap.x1, gap.y, gap.height, amber);
}

void TracksPainter::paintLane(const Frame& frame, const FrameLane& lane, const Canvas& canvas) {
    line_.clear(frame.width);
    for (std::uint32_t i = lane.first; i < lane.last; ++i) {
        const FrameItem& item = frame.items[i];
        line_.add(item.x0, item.x1 - (item.inset ? 1 : 0), item.fill);
    }
    line_.paint(canvas, lane.y, lane.height);
}

void TracksPainter::paintLabels(const Frame& frame, const Canvas& all, QImage& image) {
    const Canvas scrolled = all.below(frame.sticky);
    for (const FrameLabel& label : frame.labels) {
        if (label.role == FrameLabel::Role::Slice) {
            texts_.paintOnSlice(label, frame.staysAtTop(label.y, label.height) ? all : scrolled);
        }
    }
    QPainter painter(&image);
    painter.setFont(texts_.font());
    if (frame.sticky > 0) {
        painter.setClipRect(0, frame.sticky, frame.width, frame.height - frame.sticky);
    }
    for (const FrameLabel& label : frame.labels) {
        if (label.role == FrameLabel::Role::Slice) {
            continue;
        }
        if (label.role == FrameLabel::Role::Gap) {
            paintPill(label, frame, painter);
        }
        painter.setPen(QColor::fromRgb(label.color));
        painter.drawStaticText(QPointF(label.x, label.y + texts_.topIn(label.height)), texts_.laidOut(label.text));
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

}  // namespace rankscope::ui
