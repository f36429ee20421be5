// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace rankscope::ui {

/// Draws one line of text in a table's cell, and nothing else: no icon, no check box. A style that follows a style
/// sheet shapes the text of a cell three times and looks up its rules each time, so that a page of a table takes longer
/// than a frame. This shapes it once. A number, at the right, is drawn fully or not at all.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The same for names with equal beginnings, as kernels and groups have: if a name does not fit, its middle is left
/// out.
class NameDelegate : public CellDelegate {
    Q_OBJECT

  public:
    using CellDelegate::CellDelegate;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace rankscope::ui
