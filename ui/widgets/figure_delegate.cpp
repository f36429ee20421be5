// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/figure_delegate.h"

#include <QAbstractItemView>
#include <algorithm>

#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {

void FigureDelegate::dress(QAbstractItemView& view, const Theme& theme) {
    auto* delegate = qobject_cast<FigureDelegate*>(view.itemDelegate());
    if (delegate == nullptr) {
        delegate = new FigureDelegate(&view);
        view.setItemDelegate(delegate);
    }
    if (delegate->figures_ != theme.mono_font) {
        delegate->figures_ = theme.mono_font;
        view.doItemsLayout();
    }
}

QFontMetrics FigureDelegate::metricsOf(const QAbstractItemView& view) {
    const auto* delegate = qobject_cast<FigureDelegate*>(view.itemDelegate());
    return delegate == nullptr ? view.fontMetrics() : QFontMetrics(delegate->figures_);
}

QSize FigureDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(std::max(size.height(), rowHeight(QFontMetrics(option.font))));
    return size;
}

bool FigureDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                               const QModelIndex& index) {
    const bool figure = (index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0;
    return QStyledItemDelegate::helpEvent(event, view, option, index) ||
           tellCutText(*event, *view, option.rect, index, figure ? figures_ : option.font);
}

void FigureDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    if (option->displayAlignment.testFlag(Qt::AlignRight)) {
        option->font = figures_;
        option->fontMetrics = QFontMetrics(figures_);
    }
}

}  // namespace rankscope::ui
