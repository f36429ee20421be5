// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/palette_model.h"

#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "ui/commands/fuzzy_match.h"

namespace rankscope::ui {
namespace {

/// Whether the letters are the complete name.
bool isOf(const QString& letters, const QString& name) {
    return name.compare(letters.trimmed(), Qt::CaseInsensitive) == 0;
}

}  // namespace

PaletteModel::PaletteModel(std::vector<PaletteEntry> entries, QObject* parent)
    : QAbstractListModel(parent), entries_(std::move(entries)) {}

void PaletteModel::setRecent(const QStringList& ids) {
    recent_ = ids;
}

void PaletteModel::setLetters(const QString& letters) {
    beginResetModel();
    letters_ = letters;
    rows_.clear();
    for (const PaletteEntry& entry : entries_) {
        const auto match = fuzzyMatch(letters, entry.title);
        const auto by_alias =
            letters.isEmpty() || entry.alias.isEmpty() ? std::nullopt : fuzzyMatch(letters, entry.alias);
        const bool whole = isOf(letters, entry.alias) && !isOf(letters, entry.title);
        if (by_alias && (!match || by_alias->score > match->score || whole)) {
            rows_.push_back({&entry, by_alias->score, {}, true});
        } else if (match) {
            rows_.push_back({&entry, match->score, QList<int>(match->positions.begin(), match->positions.end())});
        } else if (fuzzyMatch(letters, entry.group + QLatin1Char(' ') + entry.title)) {
            rows_.push_back({&entry, 0, {}});  // it matched thanks to its group
        }
    }
    const auto age = [this](const Row& row) {
        const qsizetype at = recent_.indexOf(row.entry->id);
        return at < 0 ? recent_.size() : at;
    };
    const auto is_whole = [&letters](const Row& row) {
        return isOf(letters, row.by_alias ? row.entry->alias : row.entry->title);
    };
    const QString words = QRegularExpression::escape(letters.trimmed());
    const QRegularExpression as_words(
        QStringLiteral("\\b%1\\b").arg(words),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
    const auto has_words = [&](const Row& row) {
        return !words.isEmpty() && as_words.match(row.by_alias ? row.entry->alias : row.entry->title).hasMatch();
    };
    std::ranges::stable_sort(rows_, [&](const Row& a, const Row& b) {
        return a.score != b.score             ? a.score > b.score
               : is_whole(a) != is_whole(b)   ? is_whole(a)
               : has_words(a) != has_words(b) ? has_words(a)
                                              : age(a) < age(b);
    });
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return row.entry->title;
        case Qt::AccessibleTextRole: return QString(row.entry->group + QStringLiteral(": ") + row.entry->title);
        case kIdRole: return row.entry->id;
        case kGroupRole:
            return row.by_alias ? row.entry->group + QStringLiteral("  ·  ") + row.entry->alias : row.entry->group;
        case kKeysRole: return row.entry->keys;
        case kMatchRole: return QVariant::fromValue(row.match);
        default: return {};
    }
}

}  // namespace rankscope::ui
