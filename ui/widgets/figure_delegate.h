// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetrics>
#include <QStyledItemDelegate>

#include "ui/theme/theme.h"

class QAbstractItemView;

namespace rankscope::ui {

/// Draws numbers at the right of a cell with digits of equal width, and makes the rows of trees as high as those of
/// tables.
class FigureDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// Gives all cells of `view` such a delegate, with the fonts of `theme`. Call it for each theme.
    static void dress(QAbstractItemView& view, const Theme& theme);

    /// The metrics of a view's digits; those of its text if dress() was not called.
    [[nodiscard]] static QFontMetrics metricsOf(const QAbstractItemView& view);

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    /// As CellDelegate's.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

  private:
    QFont figures_;
};

}  // namespace rankscope::ui
