// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/tracks_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/slice_colors.h"
#include "ui/timeline/metrics.h"

namespace rankscope::ui {
namespace {

constexpr double kOutline = 1.5;  // logical pixels

}  // namespace

TracksPainter::TracksPainter(const Theme& theme, double pixel_ratio)
    : theme_(theme), strips_(theme), texts_(theme, pixel_ratio) {}

void TracksPainter::paint(const Frame& frame, const RowLayout& layout, QImage& image) {
    const Canvas all(image);
    const Canvas scrolled = all.below(frame.sticky);
    strips_.paint(frame, layout, all);
    paintSolidLabels(frame, all);
    paintStragglers(frame, scrolled);
    paintGapLabels(frame, image);
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
        canvas.fill(late.x0, x1, late.y + late.height - line, line, red);
        canvas.fill(late.x0, late.x0 + line, late.y, late.height, red);
        canvas.fill(right, x1, late.y, late.height, red);
    }
}

// Of slices and steps: what they stand on has one colour, so they are copied.
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

}  // namespace rankscope::ui
