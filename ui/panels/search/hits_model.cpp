// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/search/hits_model.h"

#include <array>
#include <utility>

#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

bool isNumber(int column) {
    return column == HitsModel::kStart || column == HitsModel::kLength;
}

QVariant alignment(int column) {
    return QVariant::fromValue((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace

HitsModel::HitsModel(const Theme& theme, QObject* parent) : QAbstractTableModel(parent), theme_(theme) {}

void HitsModel::set(const OpenRuns& runs, std::shared_ptr<const SearchResults> results) {
    beginResetModel();
    runs_ = runs;
    results_ = std::move(results);
    endResetModel();
}

void HitsModel::setTheme(const Theme& theme) {
    theme_ = theme;
    Q_EMIT layoutChanged();
}

int HitsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !results_ ? 0 : static_cast<int>(results_->size());
}

int HitsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int{kColumns};
}

QVariant HitsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    switch (role) {
        case Qt::DisplayRole: return cellWords(cell(static_cast<std::size_t>(index.row()), index.column()));
        case kExactRole: return exact(static_cast<std::size_t>(index.row()), index.column());
        case Qt::ToolTipRole:
            return index.column() == kName ? QVariant(plainTip(cell(static_cast<std::size_t>(index.row()), kName)))
                                           : QVariant();
        case Qt::TextAlignmentRole: return alignment(index.column());
        case Qt::FontRole: return isNumber(index.column()) ? QVariant(theme_.mono_font) : QVariant();
        default: return {};
    }
}

QString HitsModel::cell(std::size_t row, int column) const {
    const SliceSelection hit = results_->at(row);
    const AnalysedRun& run = *runs_[hit.run];
    if (!exists(run, hit.rank, hit.slice)) {
        return {};
    }
    const RankTrace& rank = *run.run->ranks[hit.rank];
    switch (column) {
        case kStart: return duration(results_->startOf(row) - run.clock.base_ns);
        case kLength: return duration(rank.span(hit.slice).length());
        case kName: return text(rank.name(hit.slice));
        case kRank: return rankName(*run.run, hit.rank);
        case kTrack: return text(rank.track(hit.slice).name);
        case kRun: return text(run.run->name);
        default: return {};
    }
}

QVariant HitsModel::exact(std::size_t row, int column) const {
    const SliceSelection hit = results_->at(row);
    const AnalysedRun& run = *runs_[hit.run];
    if (!isNumber(column) || !exists(run, hit.rank, hit.slice)) {
        return column == kName ? QVariant(cell(row, kName)) : QVariant();  // complete, however long it is
    }
    return column == kStart ? qlonglong{results_->startOf(row) - run.clock.base_ns}
                            : qlonglong{run.run->ranks[hit.rank]->span(hit.slice).length()};
}

QVariant HitsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const std::array<const char*, kColumns> titles = {"Run", "Start", "Duration", "Name", "Rank", "Track"};
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return alignment(section);
    }
    const QString title = tr(titles.at(static_cast<std::size_t>(section)));
    if (role == kExactRole) {
        return isNumber(section) ? titleWithUnit(title, QStringLiteral("ns")) : title;
    }
    return role == Qt::DisplayRole ? QVariant(title) : QVariant();
}

}  // namespace rankscope::ui
