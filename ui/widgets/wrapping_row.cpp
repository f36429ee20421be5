// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrapping_row.h"

#include <QLabel>
#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace rankscope::ui {
namespace {

constexpr int kLeastLetters = 28;  // letters of text that is cut if there is no room: with less, it gets its own row

/// The size of wrappable text on one line: such labels themselves request several lines as soon as the text is longer
/// than a few words.
QSize inOneLine(const QLabel& label) {
    const QMargins around = label.contentsMargins();
    const int margin = 2 * label.margin();
    // Text that is wrapped to exactly its own width may break because of a fraction of a pixel.
    const int width = label.fontMetrics().horizontalAdvance(label.text()) + around.left() + around.right() + margin + 2;
    return {width, label.heightForWidth(width)};
}

/// The size that an item needs. Text that may be cut reports that it needs none.
QSize wantedOf(const QLayoutItem& item) {
    QSize wanted = item.sizeHint();
    const QWidget* widget = item.widget();
    const auto* label = qobject_cast<const QLabel*>(widget);
    if (label != nullptr && label->wordWrap() && label->textFormat() == Qt::PlainText) {
        return inOneLine(*label);
    }
    if (widget != nullptr && widget->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored) {
        const int least = kLeastLetters * widget->fontMetrics().averageCharWidth();
        wanted.setWidth(std::max(wanted.width(), std::min(widget->sizeHint().width(), least)));
    }
    return wanted;
}

}  // namespace

WrappingRow::WrappingRow(QWidget* parent) : QLayout(parent) {}

WrappingRow::~WrappingRow() {
    for (const Item& each : items_) {
        delete each.item;
    }
}

void WrappingRow::addWidget(QWidget* widget, int stretch) {
    addChildWidget(widget);
    items_.push_back({new QWidgetItem(widget), stretch});
    invalidate();
}

void WrappingRow::addStretch() {
    items_.push_back({new QSpacerItem(0, 0, QSizePolicy::Expanding), 1});
    invalidate();
}

void WrappingRow::addItem(QLayoutItem* item) {
    items_.push_back({item, 0});
    invalidate();
}

int WrappingRow::count() const {
    return static_cast<int>(items_.size());
}

QLayoutItem* WrappingRow::itemAt(int index) const {
    const auto at = static_cast<std::size_t>(index);
    return index >= 0 && at < items_.size() ? items_[at].item : nullptr;
}

QLayoutItem* WrappingRow::takeAt(int index) {
    QLayoutItem* taken = itemAt(index);
    if (taken != nullptr) {
        items_.erase(items_.begin() + index);
        invalidate();
    }
    return taken;
}

Qt::Orientations WrappingRow::expandingDirections() const {
    return Qt::Horizontal;
}

std::vector<WrappingRow::Row> WrappingRow::rowsFor(int width) const {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        QLayoutItem& item = *items_[i].item;
        if (item.isEmpty() && item.spacerItem() == nullptr) {
            continue;  // hidden
        }
        QSize wanted = wantedOf(item);
        if (wanted.width() > width && item.hasHeightForWidth()) {
            wanted.setHeight(item.heightForWidth(width));  // it wraps its contents
        }
        const int gap = item.spacerItem() == nullptr ? spacing() : 0;
        if (rows.empty() || (rows.back().width > 0 && rows.back().width + gap + wanted.width() > width)) {
            rows.push_back({i, i, 0, 0});
        }
        Row& row = rows.back();
        row.width += wanted.width() + (row.width > 0 ? gap : 0);
        row.height = std::max(row.height, wanted.height());
        row.last = i + 1;
    }
    return rows;
}

int WrappingRow::heightForWidth(int width) const {
    const QMargins margins = contentsMargins();
    int height = margins.top() + margins.bottom();
    int gap = 0;
    for (const Row& row : rowsFor(width - margins.left() - margins.right())) {
        height += row.height + gap;
        gap = spacing();
    }
    return height;
}

QSize WrappingRow::sizeHint() const {
    QSize size;
    for (const Row& row : rowsFor(QWIDGETSIZE_MAX)) {
        size = QSize(row.width, row.height);
    }
    return size.grownBy(contentsMargins());
}

QSize WrappingRow::minimumSize() const {
    QSize size;
    for (const Item& each : items_) {
        if (!each.item->isEmpty()) {
            size = size.expandedTo(each.item->minimumSize());
        }
    }
    size = size.grownBy(contentsMargins());
    return size.expandedTo({0, heightForWidth(std::max(size.width(), width_))});
}

void WrappingRow::place(const Row& row, const QRect& area) const {
    int stretches = 0;
    for (std::size_t i = row.first; i < row.last; ++i) {
        stretches += items_[i].stretch;
    }
    int left = std::max(0, area.width() - row.width);
    int x = area.left();
    for (std::size_t i = row.first; i < row.last; ++i) {
        QLayoutItem& item = *items_[i].item;
        if (item.isEmpty() && item.spacerItem() == nullptr) {
            continue;
        }
        const int wanted = std::min(wantedOf(item).width(), area.width());
        const int share = items_[i].stretch == 0 ? 0 : left * items_[i].stretch / stretches;
        const int more = std::clamp(item.maximumSize().width() - wanted, 0, share);
        stretches -= items_[i].stretch;
        left -= more;
        const QRect there(x, area.top(), wanted + more, row.height);
        item.setGeometry(QStyle::visualRect(parentWidget()->layoutDirection(), area, there));
        x += wanted + more + (item.spacerItem() == nullptr ? spacing() : 0);
    }
}

void WrappingRow::setGeometry(const QRect& area) {
    QLayout::setGeometry(area);
    const int before = heightForWidth(width_);
    width_ = area.width();
    if (heightForWidth(width_) != before && parentWidget() != nullptr) {
        invalidate();
        parentWidget()->updateGeometry();
    }
    QRect rest = area.marginsRemoved(contentsMargins());
    for (const Row& row : rowsFor(rest.width())) {
        place(row, QRect(rest.topLeft(), QSize(rest.width(), row.height)));
        rest.setTop(rest.top() + row.height + spacing());
    }
}

}  // namespace rankscope::ui
