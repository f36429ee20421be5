// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/untraced.h"

#include <QCoreApplication>
#include <QTextOption>
#include <algorithm>

#include "ui/timeline/label_text.h"
#include "ui/timeline/overlay_painter.h"

namespace rankscope::ui {
namespace {

constexpr int kMargin = 8;  // logical pixels beside the words

QRectF boxOf(const QRect& tracks, const Frame& frame, const Untraced& part) {
    const double ratio = frame.pixel_ratio;
    return {tracks.left() + part.x0 / ratio, tracks.top() + part.place.y / ratio, (part.x1 - part.x0) / ratio,
            part.place.height / ratio};
}

}  // namespace

std::vector<Untraced> untracedIn(const Frame& frame, const RowLayout& layout, const TimelineModel& model) {
    std::vector<Untraced> parts;
    for (const FrameRow& place : frame.rows) {
        const LayoutRow& row = layout.rows()[place.row];
        const RankView* rank = row.kind == RowKind::Run ? nullptr : model.rank(row.run, row.rank);
        if (rank == nullptr) {
            continue;
        }
        const TimeSpan recorded = rank->toAxis(rank->trace->window);
        const bool header = row.kind == RowKind::Rank || row.kind == RowKind::Alike;
        const std::int32_t first = std::clamp(frame.scale.pixelAt(recorded.start_ns), 0, frame.width);
        const std::int32_t last = std::clamp(frame.scale.pixelAt(recorded.end_ns) + 1, 0, frame.width);
        if (first > 0) {
            parts.push_back({0, first, place, header});
        }
        if (last < frame.width) {
            parts.push_back({last, frame.width, place, header});
        }
    }
    return parts;
}

void paintUntraced(QPainter& painter, const QRect& tracks, const Frame& frame, const std::vector<Untraced>& parts,
                   const Theme& theme) {
    painter.save();
    painter.setFont(labelFont(theme, 1.0));
    const QString words = QCoreApplication::translate("Timeline", "no trace");
    const int needed = painter.fontMetrics().horizontalAdvance(words) + 2 * kMargin;
    for (const Untraced& part : parts) {
        const QRectF box = boxOf(tracks, frame, part);
        painter.setClipRect(clipOf(tracks, frame, {0, 0, part.place.y, part.place.height}));
        painter.fillRect(box, theme.surface);
        const bool behind = part.x0 > 0;
        painter.fillRect(QRectF(behind ? box.left() : box.right() - 1, box.top(), 1, box.height()), theme.border);
        if (part.labelled && box.width() >= needed) {
            painter.setPen(theme.text_dim);
            const Qt::Alignment side = behind ? Qt::AlignLeft : Qt::AlignRight;
            painter.drawText(box.adjusted(kMargin, 0, -kMargin, 0), words, QTextOption(side | Qt::AlignVCenter));
        }
    }
    painter.restore();
}

}  // namespace rankscope::ui
