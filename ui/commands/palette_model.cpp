// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/palette_model.h"

#include <algorithm>
#include <utility>

#include "ui/commands/fuzzy_match.h"

namespace rankscope::ui {

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
        if (const auto match = fuzzyMatch(letters, entry.title)) {
            rows_.push_back({&entry, match->score, QList<int>(match->positions.begin(), match->positions.end())});
        } else if (fuzzyMatch(letters, entry.group + QLatin1Char(' ') + entry.title)) {
            rows_.push_back({&entry, 0, {}});  // the group helped
        }
    }
    const auto age = [this](const Row& row) {
        const qsizetype at = recent_.indexOf(row.entry->id);
        return at < 0 ? recent_.size() : at;
    };
    std::ranges::stable_sort(
        rows_, [&](const Row& a, const Row& b) { return a.score != b.score ? a.score > b.score : age(a) < age(b); });
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
        case kGroupRole: return row.entry->group;
        case kKeysRole: return row.entry->keys;
        case kMatchRole: return QVariant::fromValue(row.match);
        default: return {};
    }
}

}  // namespace rankscope::ui
