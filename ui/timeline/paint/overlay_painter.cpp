// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/paint/overlay_painter.h"

#include <QCoreApplication>
#include <QPaintEngine>
#include <QTextOption>
#include <algorithm>

#include "core/base/format.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/paint/path_painter.h"

namespace rankscope::ui {
namespace {

// Sides of a rectangle far outside the view are moved closer: huge rectangles are drawn badly.
constexpr double kOutside = 20;

QRectF logicalRect(const QRect& tracks, const Frame& frame, const FrameRect& r) {
    const double ratio = frame.pixel_ratio;
    const double x0 = std::max(r.x0 / ratio, -kOutside);
    const double x1 = std::min(r.x1 / ratio, tracks.width() + kOutside);
    return {tracks.left() + x0, tracks.top() + r.y / ratio, x1 - x0, r.height / ratio};
}

constexpr int kDodge = 70;  // out of 255

// Beside text of the usual size.
constexpr int kAreaTextPixels = 12;
constexpr int kBesideAreaText = 20;

constexpr int kUntracedMargin = 8;  // logical pixels beside the words

QRectF untracedBox(const QRect& tracks, const Frame& frame, const Untraced& part) {
    const double ratio = frame.pixel_ratio;
    return {tracks.left() + part.x0 / ratio, tracks.top() + part.place.y / ratio, (part.x1 - part.x0) / ratio,
            part.place.height / ratio};
}

}  // namespace

QRect clipOf(const QRect& tracks, const Frame& frame, const FrameRect& rect) {
    const bool stays = frame.staysAtTop(rect.y, rect.height);
    return stays ? tracks : tracks.adjusted(0, static_cast<int>(frame.sticky / frame.pixel_ratio), 0, 0);
}

void paintSameName(QPainter& painter, const QRect& tracks, const Frame& frame, std::uint32_t name_hash,
                   const Theme& theme) {
    painter.save();
    QColor light = theme.dark ? QColor(255, 255, 255, 70) : QColor(0, 0, 0, 46);
    // Dark pixels, the names on the slices, stay dark when their brightness is multiplied.
    if (theme.dark && painter.paintEngine() != nullptr && painter.paintEngine()->hasFeature(QPaintEngine::BlendModes)) {
        painter.setCompositionMode(QPainter::CompositionMode_ColorDodge);
        light = QColor(kDodge, kDodge, kDodge);
    }
    for (const FrameSliceRow& slice_row : frame.slice_rows) {
        painter.setClipRect(clipOf(tracks, frame, {0, 0, slice_row.y, slice_row.height}));
        for (std::uint32_t i = slice_row.first; i < slice_row.last; ++i) {
            const FrameItem& item = frame.items[i];
            if (item.name_hash == name_hash && item.count == 1) {
                const FrameRect rect{item.x0, item.drawnEnd(), slice_row.y, slice_row.height};
                painter.fillRect(logicalRect(tracks, frame, rect), light);
            }
        }
    }
    painter.restore();
}

void paintSelection(QPainter& painter, const QRect& tracks, const Frame& frame, const FrameRect& rect,
                    const Theme& theme) {
    if (rect.empty()) {
        return;
    }
    painter.save();
    painter.setClipRect(clipOf(tracks, frame, rect));
    QRectF box = logicalRect(tracks, frame, rect);
    if (box.width() < 4) {
        box = box.adjusted(-1.5, 0, 1.5, 0);  // a thin slice would disappear in its own outline
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.track, 4, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(box);
    painter.setPen(QPen(theme.text, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(box);
    painter.restore();
}

void paintPathOver(QPainter& painter, const QRect& tracks, const Frame& frame, const FrameRect& rect,
                   const Theme& theme) {
    const PathLook look(theme, frame);
    painter.save();
    painter.setClipRect(clipOf(tracks, frame, rect));
    for (const FramePathMark& mark : frame.path) {
        const bool covered =
            mark.x0 < rect.x1 && rect.x0 < mark.x1 && mark.y < rect.y + rect.height + 2 && rect.y < mark.y;
        if (covered) {
            fillPathMark(frame, mark, look, [&](int x0, int x1, int y, int height, QRgb color) {
                painter.fillRect(logicalRect(tracks, frame, {x0, x1, y, height}), QColor::fromRgb(color));
            });
        }
    }
    painter.restore();
}

void paintArea(QPainter& painter, const QRect& tracks, const QRectF& area, DurationNs length, const Theme& theme) {
    painter.save();
    painter.setClipRect(tracks);
    const QRectF wide = area.translated(tracks.topLeft()).adjusted(0, -1, 0, 1);
    // Sides beyond an edge stay invisible: for tracks that have scrolled away, the time is still shown.
    const QRectF edges = QRectF(tracks).adjusted(-kOutside, -kOutside, kOutside, kOutside);
    const QRectF band(QPointF(std::clamp(wide.left(), edges.left(), edges.right()),
                              std::clamp(wide.top(), edges.top(), edges.bottom())),
                      QPointF(std::clamp(wide.right(), edges.left(), edges.right()),
                              std::clamp(wide.bottom(), edges.top(), edges.bottom())));
    QColor faint = theme.accent;
    faint.setAlpha(12);
    painter.fillRect(QRectF(band.left(), tracks.top(), band.width(), tracks.height()), faint);
    QColor fill = theme.accent;
    fill.setAlpha(38);
    painter.fillRect(band, fill);
    painter.setPen(QPen(theme.accent, 1));
    painter.drawRect(band);
    QFont font = theme.ui_font;
    font.setPixelSize(scaled(kAreaTextPixels, theme));
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const QString text = QString::fromStdString(formatDuration(length));
    const QFontMetrics metrics(font);
    const double width = metrics.horizontalAdvance(text) + scaled(kBesideAreaText, theme);
    const double middle = std::clamp(band.center().x(), tracks.left() + width / 2, tracks.right() - width / 2);
    const QRectF pill(middle - width / 2, tracks.top() + 10, width, metrics.height() + 6);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
    painter.setPen(theme.dark ? theme.window : theme.surface);
    painter.drawText(pill, Qt::AlignCenter, text);
    painter.restore();
}

void paintPointer(QPainter& painter, const QRect& tracks, int x, const Theme& theme) {
    QColor line = theme.text_dim;
    line.setAlpha(90);
    painter.fillRect(QRect(tracks.left() + x, tracks.top(), 1, tracks.height()), line);
}

void paintEmpty(QPainter& painter, const QRect& tracks, const Theme& theme) {
    painter.setFont(theme.ui_font);
    painter.setPen(theme.text_dim);
    painter.drawText(tracks, Qt::AlignCenter, QCoreApplication::translate("Timeline", "No trace is open."));
}

namespace {

/// What a rank did not record of the visible time, except for its row.
std::vector<Untraced> untracedOf(const Frame& frame, const RankView& rank) {
    std::vector<Untraced> parts;
    const auto inside = [&](std::int32_t pixel) { return std::clamp(pixel, 0, frame.width); };
    const auto begin = [&](TimeNs at_ns) { return inside(frame.scale.pixelAt(at_ns)); };
    const auto end = [&](TimeNs at_ns) { return inside(frame.scale.pixelAt(at_ns) + 1); };
    const TimeSpan recorded = rank.toAxis(rank.trace->window);
    if (const std::int32_t first = begin(recorded.start_ns); first > 0) {
        parts.push_back({.x0 = 0, .x1 = first, .place = {}});
    }
    const std::vector<TimeSpan> holes = rank.facts != nullptr ? rank.facts->windows.holes() : std::vector<TimeSpan>();
    for (const TimeSpan& hole : holes) {
        const TimeSpan shown = rank.toAxis(hole);
        const std::int32_t x0 = end(shown.start_ns);
        const std::int32_t x1 = begin(shown.end_ns);
        if (x0 < x1) {
            parts.push_back({.x0 = x0, .x1 = x1, .place = {}, .hole = true});
        }
    }
    if (const std::int32_t last = end(recorded.end_ns); last < frame.width) {
        parts.push_back({.x0 = last, .x1 = frame.width, .place = {}});
    }
    return parts;
}

}  // namespace

std::vector<Untraced> untracedIn(const Frame& frame, const RowLayout& layout, const TimelineModel& model) {
    std::vector<Untraced> parts;
    const RankView* known = nullptr;  // rows of a rank are adjacent
    std::vector<Untraced> of_rank;
    for (const FrameRow& place : frame.rows) {
        const LayoutRow& row = layout.rows()[place.row];
        const bool has_rank = row.kind != RowKind::Run && row.kind != RowKind::Host &&
                              row.kind != RowKind::RunCounter && row.kind != RowKind::Heading;
        const RankView* rank = has_rank ? model.rank(row.run, row.rank) : nullptr;
        if (rank == nullptr) {
            continue;
        }
        if (rank != known) {
            known = rank;
            of_rank = untracedOf(frame, *rank);
        }
        for (Untraced part : of_rank) {
            part.place = place;
            part.labelled = row.kind == RowKind::Rank || row.kind == RowKind::Alike;
            parts.push_back(part);
        }
    }
    return parts;
}

void paintUntraced(QPainter& painter, const QRect& tracks, const Frame& frame, const std::vector<Untraced>& parts,
                   const Theme& theme) {
    painter.save();
    painter.setFont(labelFont(theme, 1.0));
    const QString outside = QCoreApplication::translate("Timeline", "no trace");
    const QString between = QCoreApplication::translate("Timeline", "not recorded");
    for (const Untraced& part : parts) {
        const QRectF box = untracedBox(tracks, frame, part);
        painter.setClipRect(clipOf(tracks, frame, {0, 0, part.place.y, part.place.height}));
        painter.fillRect(box, theme.surface);
        const bool behind = part.x0 > 0;
        if (behind) {
            painter.fillRect(QRectF(box.left(), box.top(), 1, box.height()), theme.border);
        }
        if (!behind || part.hole) {
            painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), theme.border);
        }
        const QString& words = part.hole ? between : outside;
        const int needed = painter.fontMetrics().horizontalAdvance(words) + 2 * kUntracedMargin;
        if (part.labelled && box.width() >= needed) {
            painter.setPen(theme.text_dim);
            const Qt::Alignment side = part.hole ? Qt::AlignHCenter : behind ? Qt::AlignLeft : Qt::AlignRight;
            painter.drawText(box.adjusted(kUntracedMargin, 0, -kUntracedMargin, 0), words,
                             QTextOption(side | Qt::AlignVCenter));
        }
    }
    painter.restore();
}

}  // namespace rankscope::ui
