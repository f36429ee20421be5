// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/name_column.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/theme/core_text.h"
#include "ui/theme/slice_colors.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/words.h"

namespace rankscope::ui {
namespace {

constexpr int kRankTitlePixels = 12;
constexpr int kRunPixels = 14;
constexpr int kRankDetailPixels = 11;
constexpr int kHeadingBar = 3;  // logical pixels at the left of a heading

QFont scaledFont(const Theme& theme, int pixels, QFont::Weight weight) {
    QFont font = theme.ui_font;
    font.setPixelSize(scaled(pixels, theme));
    font.setWeight(weight);
    return font;
}

/// The same font, small enough for a row of this height in logical pixels.
QFont fittingFont(const Theme& theme, int pixels, QFont::Weight weight, int height) {
    constexpr int kLeastPixels = 8;
    constexpr int kBeside = 2;  // part of the height that letters leave free
    QFont font = scaledFont(theme, pixels, weight);
    font.setPixelSize(std::clamp(height - kBeside, kLeastPixels, std::max(kLeastPixels, font.pixelSize())));
    return font;
}

void paintChevron(QPainter& painter, const QPointF& middle, bool open, const Theme& theme) {
    const double r = std::min<double>(metrics::kChevron, scaled(metrics::kChevron, theme) / 2.0);  // the name is next
                                                                                                   // to it
    const QPointF points[3] = {open ? QPointF(-r, -r / 2) : QPointF(-r / 2, -r),
                               open ? QPointF(0, r / 2) : QPointF(r / 2, 0),
                               open ? QPointF(r, -r / 2) : QPointF(-r / 2, r)};
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(middle);
    QPen pen(theme.text_dim, 1.5);
    pen.setCapStyle(Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    painter.setPen(pen);
    painter.drawPolyline(points, 3);
    painter.restore();
}

QColor backgroundOf(const LayoutRow& row, const Theme& theme) {
    return row.kind == RowKind::Rank ? theme.track_alt : theme.surface;
}

int textLeft(const QRect& box, const LayoutRow& row) {
    return box.left() + metrics::kNamesText + row.indent * metrics::kIndent;
}

// Draws `text` from x and returns where it ended.
int drawElided(QPainter& painter, const QRect& box, int x, const QString& text, Qt::TextElideMode mode) {
    const QFontMetrics metrics(painter.font());
    const QString shown = metrics.elidedText(text, mode, box.right() - metrics::kNamesMargin - x);
    painter.drawText(QRect(x, box.top(), box.right() - metrics::kNamesMargin - x + 1, box.height()),
                     Qt::AlignVCenter | Qt::TextDontClip, shown);
    return x + metrics.horizontalAdvance(shown);
}

// "4 ranks · 458 ms" without the parts at its end that do not fit: half a number is useless. The first part may be cut.
QString partsThatFit(const QString& detail, const QFontMetrics& metrics, int room) {
    const QString between = QStringLiteral(" \u00b7 ");
    QString shown = detail;
    while (metrics.horizontalAdvance(shown) > room && shown.contains(between)) {
        shown.truncate(shown.lastIndexOf(between));
    }
    return shown;
}

void paintHeader(QPainter& painter, const QRect& box, const LayoutRow& row, const RowText& text, const Theme& theme) {
    const bool run = row.kind == RowKind::Run;
    const bool rank = row.kind == RowKind::Rank || row.kind == RowKind::Alike || row.kind == RowKind::Heading;
    const int left = box.left() + metrics::kNamesMargin + row.indent * metrics::kIndent;
    if (row.foldable) {
        paintChevron(painter, QPointF(left + metrics::kChevron / 2.0, box.center().y() + 0.5),
                     row.unfolding != Unfolding::Folded, theme);
    }
    painter.setFont(fittingFont(theme,
                                run    ? kRunPixels
                                : rank ? kRankTitlePixels + 1
                                       : kRankDetailPixels,
                                run || rank ? QFont::DemiBold : QFont::Medium, box.height()));
    painter.setPen(run || rank ? theme.text : theme.text_dim);
    const int x = drawElided(painter, box, textLeft(box, row), text.title, Qt::ElideMiddle);
    painter.setFont(fittingFont(theme, kRankDetailPixels, QFont::Normal, box.height()));
    painter.setPen(theme.text_dim);
    if (constexpr int kGap = 8; box.right() - x > 40) {
        const int room = box.right() - metrics::kNamesMargin - x - kGap;
        drawElided(painter, box, x + kGap, partsThatFit(text.detail, painter.fontMetrics(), room), Qt::ElideRight);
    }
}

QString hiddenRows(const LayoutRow& row) {
    const int hidden = row.all_rows - row.rows;
    return plural(Timeline::tr("%n more row(s)", nullptr, hidden), static_cast<std::uint64_t>(hidden));
}

/// The name of a track; with its rank if its header has scrolled away.
QString trackText(const NamesView& view, const LayoutRow& row, bool header_is_away) {
    const QString own = rowText(view.model, row).title;
    const LayoutRow* header = header_is_away && !row.pinned ? view.layout.findRank(row.run, row.rank) : nullptr;
    return header != nullptr ? rowText(view.model, *header).title + QStringLiteral(" \u00b7 ") + own : own;
}

/// `top`: where the visible part of the column begins. The name of a deep track stays visible while the track scrolls.
void paintTrack(QPainter& painter, const QRect& box, int top, const NamesView& view, const LayoutRow& row,
                const Theme& theme) {
    const bool hovered = &row == view.hovered;
    const int left = box.left() + metrics::kNamesMargin + row.indent * metrics::kIndent;
    const int last = box.top() + (row.rows - 1) * row.row_height;
    const QRect first_row(box.left(), std::clamp(top, box.top(), std::max(box.top(), last)), box.width(),
                          row.row_height);
    const bool away = first_row.top() > box.top();
    if (row.foldable) {
        paintChevron(painter, QPointF(left + metrics::kChevron / 2.0, first_row.center().y() + 0.5),
                     row.unfolding != Unfolding::Folded, theme);
    }
    painter.setFont(fittingFont(theme, kRankTitlePixels, QFont::Normal, row.row_height));
    painter.setPen(hovered ? theme.text : QColor::fromRgb(mix(theme.text_dim.rgb(), theme.text.rgb(), 90)));
    const int x = drawElided(painter, first_row, textLeft(box, row), trackText(view, row, away), Qt::ElideMiddle);
    if (row.rows >= row.all_rows || (row.rows > 1 && first_row.bottom() >= last)) {
        return;
    }
    painter.setFont(fittingFont(theme, kRankDetailPixels - 1, QFont::Normal, row.row_height));
    painter.setPen(theme.text_dim);
    if (row.rows > 1) {
        const QRect last_row(box.left(), last, box.width(), row.row_height);
        drawElided(painter, last_row, textLeft(box, row), QStringLiteral("\u22ef ") + hiddenRows(row), Qt::ElideRight);
    } else if (box.right() - x > 36) {
        drawElided(painter, first_row, x + 8, QStringLiteral("+%1").arg(row.all_rows - row.rows), Qt::ElideRight);
    }
}

}  // namespace

void paintNames(QPainter& painter, const QRect& area, const NamesView& view, const Theme& theme) {
    const Frame& frame = view.frame;
    painter.save();
    painter.setClipRect(area);
    painter.fillRect(area, theme.surface);
    const int sticky = static_cast<int>(std::lround(frame.sticky / frame.pixel_ratio));
    for (const FrameRow& place : frame.rows) {
        const LayoutRow& row = view.layout.rows()[place.row];
        const bool stays = frame.staysAtTop(place.y, place.height);
        painter.setClipRect(stays ? area : area.adjusted(0, sticky, 0, 0));
        const int y = area.top() + static_cast<int>(std::lround(place.y / frame.pixel_ratio));
        const QRect box(area.left(), y, area.width(), row.height);
        painter.fillRect(box, &row == view.hovered && row.foldable ? theme.raised : backgroundOf(row, theme));
        if (isHeader(row.kind)) {
            painter.fillRect(QRect(box.left(), box.top(), box.width(), 1), theme.border);
        }
        if (row.kind == RowKind::Heading) {
            painter.fillRect(QRect(box.left(), box.top() + 1, kHeadingBar, box.height() - 1), theme.accent);
        }
        if (row.kind == RowKind::Track) {
            paintTrack(painter, box, area.top() + (stays ? 0 : sticky), view, row, theme);
        } else {
            paintHeader(painter, box, row, rowText(view.model, row), theme);
        }
        if (&row == view.chosen) {
            painter.setPen(theme.accent);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(1, 0, -3, -1));
        }
    }
    painter.setClipRect(area);
    if (sticky > 0) {
        painter.fillRect(QRect(area.left(), area.top() + sticky - 2, area.width(), 1), theme.accent);
    }
    painter.fillRect(QRect(area.right(), area.top(), 1, area.height()), theme.border);
    painter.restore();
}

void paintDropLine(QPainter& painter, const QRect& area, int y, const Theme& theme) {
    painter.save();
    painter.setClipRect(area);
    painter.fillRect(
        QRect(area.left() + metrics::kNamesMargin, area.top() + y - 3, area.width() - metrics::kNamesMargin, 2),
        theme.accent);
    painter.restore();
}

void NameColumn::paint(QPainter& painter, const QRect& area, const NamesView& view, const Theme& theme) {
    const double ratio = painter.device()->devicePixelRatioF();
    Look look{view.rows_revision, view.frame.rows, view.frame.sticky, view.hovered, view.chosen, area.size(), ratio};
    if (picture_.isNull() || look != look_) {
        const QSize pixels = (QSizeF(area.size()) * ratio).toSize();
        if (picture_.size() != pixels) {
            picture_ = QImage(pixels, QImage::Format_RGB32);
        }
        picture_.setDevicePixelRatio(ratio);
        QPainter into(&picture_);
        paintNames(into, QRect(QPoint(0, 0), area.size()), view, theme);
        look_ = std::move(look);
    }
    painter.drawImage(area.topLeft(), picture_);
}

}  // namespace rankscope::ui
