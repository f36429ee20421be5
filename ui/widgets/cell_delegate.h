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
    /// Shows the whole text of a cell that is cut, and has no other tip.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
};

/// Shows the whole text of a cell that is cut, as a tip. False, and nothing, if the cell is not cut.
/// `font` is that of the cell.
bool tellCutText(const QHelpEvent& event, QAbstractItemView& view, const QRect& cell, const QModelIndex& index,
                 const QFont& font);

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
