// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace rankscope::ui {

/// Draws the one line of text of a table's cell, and nothing else: no icon, no box to tick. A style that follows a
/// style sheet shapes the text of a cell three times and looks its rules up for each: a page of a table then takes
/// longer than a frame. This shapes it once. Of what is at the right, a number, all is drawn or none of it.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The same of names that are alike at their beginnings, as those of kernels and groups are: of one that has no room
/// the middle is left out.
class NameDelegate : public CellDelegate {
    Q_OBJECT

  public:
    using CellDelegate::CellDelegate;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace rankscope::ui
