// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetrics>
#include <QStyledItemDelegate>

#include "ui/theme/theme.h"

class QAbstractItemView;

namespace rankscope::ui {

/// Draws what stands at the right of a cell, a number, in digits of one width, and makes the rows of trees as high as
/// those of tables.
class FigureDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// Gives all cells of `view` such a delegate, with the fonts of `theme`. Call it for each theme.
    static void dress(QAbstractItemView& view, const Theme& theme);

    /// What the digits of a view measure; those of its text where dress() was not called.
    [[nodiscard]] static QFontMetrics metricsOf(const QAbstractItemView& view);

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

  private:
    QFont figures_;
};

}  // namespace rankscope::ui
