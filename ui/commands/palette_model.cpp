// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/palette_model.h"

#include <QAction>
#include <algorithm>

#include "ui/commands/fuzzy_match.h"

namespace rankscope::ui {

PaletteModel::PaletteModel(const CommandRegistry& commands, QObject* parent)
    : QAbstractListModel(parent), commands_(commands) {}

void PaletteModel::setRecent(const QStringList& ids) {
    recent_ = ids;
}

void PaletteModel::setLetters(const QString& letters) {
    beginResetModel();
    letters_ = letters;
    rows_.clear();
    for (const Command& command : commands_.commands()) {
        if (!commands_.action(command.id)->isEnabled()) {
            continue;
        }
        const QString title = command.plainTitle();
        if (const auto match = fuzzyMatch(letters, title)) {
            rows_.push_back({&command, match->score, QList<int>(match->positions.begin(), match->positions.end())});
        } else if (fuzzyMatch(letters, command.group + QLatin1Char(' ') + title)) {
            rows_.push_back({&command, 0, {}});  // the group helped
        }
    }
    const auto age = [this](const Row& row) {
        const qsizetype at = recent_.indexOf(row.command->id);
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
        case Qt::DisplayRole: return row.command->plainTitle();
        case Qt::AccessibleTextRole:
            return QString(row.command->group + QStringLiteral(": ") + row.command->plainTitle());
        case kIdRole: return row.command->id;
        case kGroupRole: return row.command->group;
        case kKeysRole: return commands_.keysOf(row.command->id).toString(QKeySequence::NativeText);
        case kMatchRole: return QVariant::fromValue(row.match);
        default: return {};
    }
}

}  // namespace rankscope::ui
