// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cell_delegate.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>

namespace rankscope::ui {
namespace {

constexpr int kPadding = 11;  // as the style sheet's of the titles above

/// `text` as one line, elided to `room` pixels where it is wider; its natural width.
double layOutLine(QTextLayout& layout, const QStyleOptionViewItem& option, double room) {
    const auto lay = [&layout] {
        layout.beginLayout();
        QTextLine line = layout.createLine();
        line.setLineWidth(1e6);
        line.setPosition({0, 0});
        layout.endLayout();
        return line.naturalTextWidth();
    };
    const double width = lay();
    if (width <= room) {
        return width;
    }
    layout.setText(QFontMetricsF(option.font).elidedText(layout.text(), option.textElideMode, room));
    return lay();
}

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    if (cell.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(cell.rect, cell.palette.brush(QPalette::Highlight));
    }
    const QRectF area = QRectF(cell.rect).adjusted(kPadding, 0, -kPadding, 0);
    if (cell.text.isEmpty() || area.width() <= 0) {
        return;
    }
    QTextLayout layout(cell.text, cell.font);
    QTextOption one_line;
    one_line.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(one_line);
    layout.setCacheEnabled(true);
    const double width = layOutLine(layout, cell, area.width());
    const double free = std::max(0.0, area.width() - width);
    double x = area.left();
    if (cell.displayAlignment.testFlag(Qt::AlignRight)) {
        x += free;
    } else if (cell.displayAlignment.testFlag(Qt::AlignHCenter)) {
        x += free / 2;
    }
    const double y = area.top() + (area.height() - layout.lineAt(0).height()) / 2;
    painter->setPen(cell.palette.color(QPalette::Text));
    layout.draw(painter, QPointF(x, y));
}

}  // namespace rankscope::ui
