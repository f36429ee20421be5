// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/sql_words_model.h"

#include <QPainter>
#include <algorithm>
#include <utility>

namespace rankscope::ui {
namespace {

constexpr int kAroundWord = 10;  // pixels
constexpr int kLeastWord = 150;  // pixels: so that the texts behind the words are below each other

}  // namespace

void SqlWordsModel::set(std::vector<SqlWord> words) {
    beginResetModel();
    words_ = std::move(words);
    endResetModel();
}

int SqlWordsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(words_.size());
}

QVariant SqlWordsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const SqlWord& word = words_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole: return word.word;
        case kAboutRole:
        case Qt::AccessibleDescriptionRole: return word.about;
        default: return {};
    }
}

QSize SqlWordsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const {
    return {0, option.fontMetrics.height() + 8};
}

void SqlWordsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(option.rect, option.palette.color(QPalette::Highlight));
    }
    const QString word = index.data().toString();
    const QRect area = option.rect.adjusted(kAroundWord, 0, -kAroundWord, 0);
    painter->setFont(option.font);
    painter->setPen(option.palette.color(QPalette::Text));
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, word);
    const int behind = std::max(kLeastWord, option.fontMetrics.horizontalAdvance(word) + 2 * kAroundWord);
    const QString about = index.data(SqlWordsModel::kAboutRole).toString();
    const QRect rest = area.adjusted(behind, 0, 0, 0);
    painter->setPen(option.palette.color(QPalette::PlaceholderText));
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                      option.fontMetrics.elidedText(about, Qt::ElideRight, rest.width()));
    painter->restore();
}

}  // namespace rankscope::ui
