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
constexpr qsizetype kTextsKept = 4096;
constexpr double kFaintestBand = 70;  // of 256: a band that hardly covers its pixel
constexpr double kOutline = 1.5;      // logical pixels
constexpr double kFaintestMark = 70;  // of 256: a mark that is hardly blocked
constexpr double kStrongestMark = 220;

}  // namespace

TracksPainter::TracksPainter(const Theme& theme, double pixel_ratio)
    : theme_(theme), font_(labelFont(theme, pixel_ratio)), measure_(font_) {}

void TracksPainter::paint(const Frame& frame, const RowLayout& layout, QImage& image) {
    image.fill(theme_.track.rgb());
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
    paintLabels(frame, image);
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

void TracksPainter::paintRows(const Frame& frame, const RowLayout& layout, const Canvas& all) const {
    const Canvas canvas = all.below(frame.sticky);
    for (const FrameRow& place : frame.rows) {
        const LayoutRow& row = layout.rows()[place.row];
        if (row.kind == RowKind::Run || row.kind == RowKind::Alike) {
            canvas.fill(0, frame.width, place.y, place.height, theme_.surface.rgb());
        } else if (row.kind == RowKind::Rank) {
            canvas.fill(0, frame.width, place.y, place.height, theme_.track_alt.rgb());
        }
    }
    for (const RulerTick& tick : frame.ruler.ticks) {
        if (tick.major) {
            const int x = frame.scale.pixelAt(tick.at_ns);
            all.fill(x, x + 1, 0, frame.height, theme_.grid.rgb());
        }
    }
    const int hairline = std::max(1, static_cast<int>(frame.pixel_ratio));
    for (const FrameRow& place : frame.rows) {
        const RowKind kind = layout.rows()[place.row].kind;
        if (kind == RowKind::Run || kind == RowKind::Rank || kind == RowKind::Alike) {
            canvas.fill(0, frame.width, place.y, hairline, theme_.border.rgb());
        }
    }
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

const QStaticText& TracksPainter::laidOut(const QString& text) {
    const auto known = texts_.constFind(text);
    if (known != texts_.constEnd()) {
        return *known;
    }
    if (texts_.size() >= kTextsKept) {
        texts_.clear();
    }
    QStaticText made(text);
    made.setTextFormat(Qt::PlainText);
    made.prepare(QTransform(), font_);
    return *texts_.insert(text, made);
}

void TracksPainter::paintLabels(const Frame& frame, QImage& image) {
    QPainter painter(&image);
    painter.setFont(font_);
    QRgb pen = 0;
    const QRect scrolled(0, frame.sticky, frame.width, frame.height - frame.sticky);
    bool cut = false;
    for (const FrameLabel& label : frame.labels) {
        // Only what reaches behind the rows that stay at the top must be cut off: clipping is slow.
        if (const bool behind = label.y < frame.sticky && !frame.staysAtTop(label.y, label.height); behind != cut) {
            cut = behind;
            painter.setClipRect(scrolled, cut ? Qt::ReplaceClip : Qt::NoClip);
        }
        if (label.role == FrameLabel::Role::Gap) {
            const double pad = 5 * frame.pixel_ratio;
            const double height = measure_.lineHeight() + 2 * frame.pixel_ratio;
            const QRectF pill(label.x - pad, label.y + (label.height - height) / 2,
                              measure_.width(label.text) + 2 * pad, height);
            QColor back = theme_.track;
            back.setAlpha(225);
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(Qt::NoPen);
            painter.setBrush(back);
            painter.drawRoundedRect(pill, height / 2, height / 2);
            painter.setRenderHint(QPainter::Antialiasing, false);
            pen = 0;
        }
        if (pen != label.color) {
            pen = label.color;
            painter.setPen(QColor::fromRgb(pen));
        }
        const double top = label.y + measure_.baselineIn(label.height) - measure_.ascent();
        painter.drawStaticText(QPointF(label.x, top), laidOut(label.text));
    }
}

}  // namespace rankscope::ui
