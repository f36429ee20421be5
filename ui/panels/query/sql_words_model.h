// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QStyledItemDelegate>
#include <vector>

#include "ui/panels/query/sql_lexicon.h"

namespace rankscope::ui {

/// Words that complete what is typed, for a list.
class SqlWordsModel : public QAbstractListModel {
    Q_OBJECT

  public:
    static constexpr int kAboutRole = Qt::UserRole + 1;

    using QAbstractListModel::QAbstractListModel;
    /// Replaces all words.
    void set(std::vector<SqlWord> words);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

  private:
    std::vector<SqlWord> words_;
};

/// Draws a word, and behind it in the dim colour what it is.
class SqlWordsDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace rankscope::ui
