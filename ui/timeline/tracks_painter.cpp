// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/tracks_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

constexpr int kHatchPeriod = 8;      // logical pixels
constexpr int kNarrowGap = 4;        // device pixels: a narrower mark is solid
constexpr unsigned kHatchBack = 34;  // of 256: amber between the stripes
constexpr unsigned kHatchStripe = 92;
constexpr double kFaintestMark = 70;  // of 256: a mark that is hardly blocked
constexpr double kStrongestMark = 220;

QRgb* lineOf(QImage& image, int y) {
    return reinterpret_cast<QRgb*>(image.scanLine(y));  // Format_RGB32: 32-bit aligned by Qt's contract
}

struct Clip {
    int x0, x1, y0, y1;
    [[nodiscard]] bool empty() const { return x1 <= x0 || y1 <= y0; }
};

Clip clipTo(const QImage& image, int x0, int x1, int y, int height) {
    return {std::max(x0, 0), std::min(x1, image.width()), std::max(y, 0), std::min(y + height, image.height())};
}

void fill(QImage& image, int x0, int x1, int y, int height, QRgb color) {
    const Clip c = clipTo(image, x0, x1, y, height);
    for (int line = c.y0; line < c.y1 && !c.empty(); ++line) {
        std::fill(lineOf(image, line) + c.x0, lineOf(image, line) + c.x1, color);
    }
}

}  // namespace

TracksPainter::TracksPainter(const Theme& theme, double pixel_ratio)
    : theme_(theme), font_(labelFont(theme, pixel_ratio)), measure_(font_) {}

void TracksPainter::paint(const Frame& frame, const RowLayout& layout, QImage& image) {
    image.fill(theme_.track.rgb());
    paintRows(frame, layout, image);
    paintSteps(frame, image);
    paintGaps(frame, image);
    for (const FrameLane& lane : frame.lanes) {
        paintLane(frame, lane, image);
    }
    paintLabels(frame, image);
}

void TracksPainter::paintRows(const Frame& frame, const RowLayout& layout, QImage& image) const {
    for (const FrameRow& place : frame.rows) {
        const LayoutRow& row = layout.rows()[place.row];
        if (row.kind == RowKind::Run) {
            fill(image, 0, frame.width, place.y, place.height, theme_.surface.rgb());
        } else if (row.kind == RowKind::Rank) {
            fill(image, 0, frame.width, place.y, place.height, theme_.track_alt.rgb());
        }
    }
    for (const RulerTick& tick : frame.ruler.ticks) {
        if (tick.major) {
            const int x = frame.scale.pixelAt(tick.at_ns);
            fill(image, x, x + 1, 0, frame.height, theme_.grid.rgb());
        }
    }
    const int hairline = std::max(1, static_cast<int>(frame.pixel_ratio));
    for (const FrameRow& place : frame.rows) {
        const RowKind kind = layout.rows()[place.row].kind;
        if (kind == RowKind::Run || kind == RowKind::Rank) {
            fill(image, 0, frame.width, place.y, hairline, theme_.border.rgb());
        }
    }
}

void TracksPainter::paintSteps(const Frame& frame, QImage& image) const {
    const QRgb back = theme_.track_alt.rgb();
    const QRgb even = mix(back, theme_.text_dim.rgb(), 44);
    const QRgb odd = mix(back, theme_.text_dim.rgb(), 76);
    for (const FrameStep& step : frame.steps) {
        QRgb color = step.odd ? odd : even;
        if (!step.complete) {
            color = mix(back, color, 110);
        }
        const int inset = step.x1 - step.x0 > 3 ? 1 : 0;
        fill(image, step.x0, step.x1 - inset, step.y, step.height, color);
    }
}

void TracksPainter::paintGaps(const Frame& frame, QImage& image) const {
    const QRgb track = theme_.track.rgb();
    const QRgb amber = theme_.gap.rgb();
    const QRgb back = mix(track, amber, kHatchBack);
    const QRgb stripe = mix(track, amber, kHatchStripe);
    const int period = static_cast<int>(std::lround(kHatchPeriod * frame.pixel_ratio));
    for (const FrameGap& gap : frame.gaps) {
        if (gap.x1 - gap.x0 < kNarrowGap) {
            const double share = std::lerp(kFaintestMark, kStrongestMark, gap.share);
            fill(image, gap.x0, gap.x1, gap.y, gap.height, mix(track, amber, static_cast<unsigned>(share)));
            continue;
        }
        const Clip c = clipTo(image, gap.x0, gap.x1, gap.y, gap.height);
        // Stripes hang on the time axis and on the band, so they travel with the view.
        const auto phase = static_cast<int>((frame.scale.origin_px % period + period) % period);
        for (int y = c.y0; y < c.y1; ++y) {
            QRgb* line = lineOf(image, y);
            for (int x = c.x0; x < c.x1; ++x) {
                line[x] = (x + phase + (y - gap.y)) % period < period / 2 ? stripe : back;
            }
        }
        fill(image, gap.x0, gap.x0 + 1, gap.y, gap.height, amber);
        fill(image, gap.x1 - 1, gap.x1, gap.y, gap.height, amber);
    }
}

void TracksPainter::paintLane(const Frame& frame, const FrameLane& lane, QImage& image) {
    const Clip c = clipTo(image, 0, frame.width, lane.y, lane.height);
    if (c.empty() || lane.first == lane.last) {
        return;
    }
    line_.resize(static_cast<std::size_t>(frame.width));
    runs_.clear();
    for (std::uint32_t i = lane.first; i < lane.last; ++i) {
        const FrameItem& item = frame.items[i];
        const std::int32_t x0 = std::max(item.x0, 0);
        const std::int32_t x1 = std::min(item.x1 - (item.inset ? 1 : 0), c.x1);
        if (x1 <= x0) {
            continue;
        }
        std::fill(line_.begin() + x0, line_.begin() + x1, item.fill);
        if (!runs_.empty() && x0 <= runs_.back().last) {
            runs_.back().last = std::max(runs_.back().last, x1);
        } else {
            runs_.push_back({x0, x1});
        }
    }
    for (int y = c.y0; y < c.y1; ++y) {
        QRgb* out = lineOf(image, y);
        for (const Run& run : runs_) {
            std::memcpy(out + run.first, line_.data() + run.first,
                        static_cast<std::size_t>(run.last - run.first) * sizeof(QRgb));
        }
    }
}

void TracksPainter::paintLabels(const Frame& frame, QImage& image) const {
    QPainter painter(&image);
    painter.setFont(font_);
    QRgb pen = 0;
    for (const FrameLabel& label : frame.labels) {
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
        painter.drawText(QPointF(label.x, label.y + measure_.baselineIn(label.height)), label.text);
    }
}

}  // namespace rankscope::ui
