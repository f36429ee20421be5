// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/collectives_model.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/base/format.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/role_words.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

bool isFigure(int column) {
    return column != CollectivesModel::kOperation && column != CollectivesModel::kGroup &&
           column != CollectivesModel::kRole;
}

const Collective& collectiveOf(const AnalysedRun& run, const CollectiveLine& line) {
    return run.facts.collectives.collectives[line.collective];
}

const GroupRole* roleOfGroup(const AnalysedRun& run, const Collective& collective) {
    const auto& groups = run.facts.parallelism.groups;
    return collective.group < groups.size() ? &groups[collective.group] : nullptr;
}

QString dash() {
    return QStringLiteral("\u2013");
}

QString ranksText(const AnalysedRun& run, const Collective& collective) {
    const std::int32_t size = run.facts.collectives.groups[collective.group].size;
    const QString members = count(collective.members.size());
    return size > 0 ? CollectivesModel::tr("%1 of %2").arg(members, count(static_cast<std::uint64_t>(size))) : members;
}

/// The value by which a column of numbers is sorted.
std::optional<std::int64_t> numberOf(const AnalysedRun& run, const CollectiveLine& line, int column) {
    const Collective& of = collectiveOf(run, line);
    switch (column) {
        case CollectivesModel::kStart: return line.start_ns.plain();
        case CollectivesModel::kStep: return line.step;
        case CollectivesModel::kLength: return line.length_ns;
        case CollectivesModel::kTransfer: return of.transfer_ns;
        case CollectivesModel::kWait: return line.wait_ns;
        case CollectivesModel::kBytes: return of.bytes;
        case CollectivesModel::kRanks: return static_cast<std::int64_t>(of.members.size());
        default: return std::nullopt;
    }
}

std::string wordOf(const AnalysedRun& run, const CollectiveLine& line, int column) {
    const Collective& of = collectiveOf(run, line);
    const GroupRole* group = roleOfGroup(run, of);
    switch (column) {
        case CollectivesModel::kOperation: return std::string(collectiveKindName(of.kind));
        case CollectivesModel::kGroup: return group != nullptr ? group->label() : std::string();
        case CollectivesModel::kRole:
            return group != nullptr && group->role ? std::string(roleName(*group->role)) : std::string();
        default: return {};
    }
}

}  // namespace

void sortLines(std::vector<CollectiveLine>& lines, const AnalysedRun& run, int column, bool descending) {
    const auto sort = [&](auto value_of) {
        using Value = decltype(value_of(lines.front()));
        std::vector<std::pair<Value, std::size_t>> keys;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            keys.emplace_back(value_of(lines[i]), i);
        }
        std::ranges::stable_sort(keys, [descending](const auto& a, const auto& b) {
            if constexpr (requires { a.first.has_value(); }) {
                if (!a.first.has_value() || !b.first.has_value()) {
                    return a.first.has_value() && !b.first.has_value();
                }
            }
            return descending ? b.first < a.first : a.first < b.first;
        });
        std::vector<CollectiveLine> sorted;
        sorted.reserve(lines.size());
        for (const auto& [value, at] : keys) {
            sorted.push_back(lines[at]);
        }
        lines = std::move(sorted);
    };
    if (isFigure(column)) {
        sort([&](const CollectiveLine& line) { return numberOf(run, line, column); });
    } else {
        sort([&](const CollectiveLine& line) { return wordOf(run, line, column); });
    }
}

CollectivesModel::CollectivesModel(const Theme& theme, QObject* parent) : QAbstractTableModel(parent), theme_(theme) {}

void CollectivesModel::set(std::shared_ptr<const AnalysedRun> run, std::vector<CollectiveLine> lines) {
    beginResetModel();
    run_ = std::move(run);
    lines_ = std::move(lines);
    endResetModel();
}

void CollectivesModel::setTheme(const Theme& theme) {
    theme_ = theme;
    Q_EMIT layoutChanged();
}

int CollectivesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int CollectivesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int{kColumns};
}

QString CollectivesModel::cell(const CollectiveLine& line, int column) const {
    const Collective& of = collectiveOf(*run_, line);
    const GroupRole* group = roleOfGroup(*run_, of);
    switch (column) {
        case kStart: return duration(line.start_ns - run_->clock.base_ns);
        case kStep: return line.step ? QString::number(*line.step) : dash();
        case kOperation: return coreText(collectiveKindName(of.kind));
        case kGroup: return group != nullptr ? text(group->label()) : dash();
        case kRole: return roleTitle(group != nullptr ? group->role : std::nullopt);
        case kLength: return duration(line.length_ns);
        case kTransfer: return of.transfer_ns ? duration(*of.transfer_ns) : dash();
        case kWait: return line.wait_ns ? duration(*line.wait_ns) : dash();
        case kBytes:
            return of.bytes ? text(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, *of.bytes))))
                            : dash();
        case kRanks: return ranksText(*run_, of);
        default: return {};
    }
}

QVariant CollectivesModel::exact(const CollectiveLine& line, int column) const {
    switch (column) {
        case kStart: return qlonglong{line.start_ns - run_->clock.base_ns};
        case kStep:
        case kLength:
        case kTransfer:
        case kWait:
        case kBytes: {
            const auto number = numberOf(*run_, line, column);
            return number ? QVariant(qlonglong{*number}) : QVariant(QString());
        }
        default: return {};
    }
}

QVariant CollectivesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    switch (role) {
        case Qt::DisplayRole: return cellWords(cell(line(index.row()), index.column()));
        case kExactRole: return exact(line(index.row()), index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::FontRole: return isFigure(index.column()) ? QVariant(theme_.mono_font) : QVariant();
        default: return {};
    }
}

QVariant CollectivesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == kExactRole) {
        const bool time = section == kStart || section == kLength || section == kTransfer || section == kWait;
        return time ? titleWithUnit(titleOf(section), QStringLiteral("ns")) : titleOf(section);
    }
    return role == Qt::DisplayRole ? QVariant(titleOf(section)) : QVariant();
}

QString CollectivesModel::titleOf(int column) {
    switch (column) {
        case kStart: return tr("Start");
        case kStep: return tr("Step");
        case kOperation: return tr("Operation");
        case kGroup: return tr("Group");
        case kRole: return tr("Role");
        case kLength: return tr("Duration");
        case kTransfer: return tr("Transfer");
        case kWait: return tr("Longest wait");
        case kBytes: return tr("Bytes");
        case kRanks: return tr("Ranks");
        default: return {};
    }
}

}  // namespace rankscope::ui
