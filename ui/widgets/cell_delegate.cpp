// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cell_delegate.h"

#include <QAbstractItemView>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>

#include "ui/theme/plain_text.h"
#include "ui/theme/text_scale.h"

namespace rankscope::ui {
namespace {

/// Shapes `words` as one line, and returns its width.
double layOut(QTextLayout& layout, const QString& words) {
    layout.setText(words);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(1e6);
    line.setPosition({0, 0});
    layout.endLayout();
    return line.naturalTextWidth();
}

/// The beginning of `words` that fills `room` pixels, or all of them: the name of a kernel may have a thousand letters,
/// and shaping takes time for each of them.
double layOutBeginning(QTextLayout& layout, const QStyleOptionViewItem& option, const QString& words, double room) {
    qsizetype letters = static_cast<qsizetype>(room / std::max(1, option.fontMetrics.averageCharWidth())) + 16;
    double width = 0;
    do {
        width = layOut(layout, words.left(letters));
        letters *= 2;
    } while (width <= room && layout.text().size() < words.size());
    return width;
}

/// Both ends of `words`, each of which fills `room` pixels, or all of them.
double layOutEnds(QTextLayout& layout, const QStyleOptionViewItem& option, const QString& words, double room) {
    qsizetype letters = static_cast<qsizetype>(2 * room / std::max(1, option.fontMetrics.averageCharWidth())) + 16;
    double width = 0;
    do {
        width = layOut(layout, words.size() > 2 * letters ? words.left(letters) + words.right(letters) : words);
        letters *= 2;
    } while (width <= 2 * room && layout.text().size() < words.size());
    return width;
}

/// `words` as one line, elided to `room` pixels if it is wider; returns its natural width.
double layOutLine(QTextLayout& layout, const QStyleOptionViewItem& option, const QString& words, double room) {
    if (option.textElideMode != Qt::ElideRight) {
        const double ends = layOutEnds(layout, option, words, room);
        return ends <= room
                   ? ends
                   : layOut(layout, QFontMetricsF(option.font).elidedText(layout.text(), option.textElideMode, room));
    }
    const double width = layOutBeginning(layout, option, words, room);
    if (width <= room) {
        return width;
    }
    const QString dots(QChar(0x2026));
    const double free = std::max(0.0, room - QFontMetricsF(option.font).horizontalAdvance(dots));
    const QTextLine line = layout.lineAt(0);
    int letters = line.xToCursor(free, QTextLine::CursorBetweenCharacters);
    while (letters > 0 && line.cursorToX(letters) > free) {
        letters = layout.previousCursorPosition(letters);
    }
    return layOut(layout, words.left(letters) + dots);
}

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    if (cell.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(cell.rect, cell.palette.brush(QPalette::Highlight));
    }
    const QRectF area = QRectF(cell.rect).adjusted(kCellPadding, 0, -kCellPadding, 0);
    if (cell.text.isEmpty() || area.width() <= 0) {
        return;
    }
    QTextLayout layout;
    layout.setFont(cell.font);
    QTextOption one_line;
    one_line.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(one_line);
    layout.setCacheEnabled(true);
    const bool number = cell.displayAlignment.testFlag(Qt::AlignRight);
    double width = layOutLine(layout, cell, cell.text, area.width());
    if (number && layout.text() != cell.text) {  // the first digits of a number are another number
        width = layOut(layout, QString(QChar(0x2026)));
    }
    const double free = std::max(0.0, area.width() - width);
    double x = area.left();
    if (number) {
        x += free;
    } else if (cell.displayAlignment.testFlag(Qt::AlignHCenter)) {
        x += free / 2;
    }
    const double y = area.top() + (area.height() - layout.lineAt(0).height()) / 2;
    painter->setPen(cell.palette.color(QPalette::Text));
    layout.draw(painter, QPointF(x, y));
}

bool tellCutText(const QHelpEvent& event, QAbstractItemView& view, const QRect& cell, const QModelIndex& index,
                 const QFont& font) {
    const QString words = index.data().toString();
    if (event.type() != QEvent::ToolTip || words.isEmpty() ||
        QFontMetrics(font).horizontalAdvance(words) <= cell.width() - 2 * kCellPadding) {
        return false;
    }
    QToolTip::showText(event.globalPos(), plainTip(words), &view);
    return true;
}

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index) {
    const QVariant font = index.data(Qt::FontRole);
    return QStyledItemDelegate::helpEvent(event, view, option, index) ||
           tellCutText(*event, *view, option.rect, index, font.isValid() ? font.value<QFont>() : option.font);
}

void NameDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    CellDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideMiddle;
}

}  // namespace rankscope::ui
