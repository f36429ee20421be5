// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/steps/steps_model.h"

#include <algorithm>
#include <array>

#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/swatches.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {

namespace {

/// Whether a column contains times.
bool isTimeOfStep(int column) {
    return column == StepsModel::kStepTime || column == StepsModel::kRankTime ||
           (column >= StepsModel::kCompute && column <= StepsModel::kIdle);
}

}  // namespace

StepsModel::StepsModel(const Theme& theme, QObject* parent) : QAbstractTableModel(parent), theme_(theme) {}

void StepsModel::setRuns(const OpenRuns& runs) {
    beginResetModel();
    runs_ = runs;
    rows_.clear();
    for (std::uint32_t r = 0; r < runs.size(); ++r) {
        const RunFacts& facts = runs[r]->facts;
        for (RunStepPosition s{0}; s < facts.steps.size(); ++s) {
            bool first = true;
            for (RankPosition rank{0}; rank < facts.steps[s].by_rank.size(); ++rank) {
                if (const auto step = facts.steps[s].by_rank[rank]) {
                    rows_.push_back({r, s, rank, *step, first});
                    first = false;
                }
            }
        }
    }
    endResetModel();
}

void StepsModel::setTheme(const Theme& theme) {
    theme_ = theme;
    if (!rows_.empty()) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    }
}

int StepsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int StepsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int{kColumns};
}

const RankStep& StepsModel::rankStep(const Row& row) const {
    return runs_[row.run]->facts.ranks[row.rank].steps[row.step];
}

const RunStep& StepsModel::runStep(const Row& row) const {
    return runs_[row.run]->facts.steps[row.run_step];
}

QVariant StepsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const bool number = isTimeOfStep(index.column());
    switch (role) {
        case Qt::DisplayRole: return cell(row, index.column());
        case kExactRole: return exact(row, index.column());
        case Qt::AccessibleTextRole:
            return index.column() == kBar ? QVariant(partsText(parts(index.row()))) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::FontRole: return number ? QVariant(theme_.mono_font) : QVariant();
        case Qt::ForegroundRole:
            return runStep(row).outlier || !runStep(row).complete ? QVariant(theme_.text_dim) : QVariant();
        default: return {};
    }
}

QVariant StepsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr std::array<const char*, kColumns> kTitles = {
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Run"),
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Step"),
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Step time"),
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Rank"),
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Rank's step"),
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Parts"),
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Compute"),
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Exposed comm."),
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Exposed copy"),
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Idle"),
        QT_TRANSLATE_NOOP("rankscope::ui::StepsModel", "Notes")};
    if (orientation != Qt::Horizontal) {
        return {};
    }
    const bool number = isTimeOfStep(section);
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    const QString title = tr(kTitles[static_cast<std::size_t>(section)]);
    if (role == kExactRole) {
        return number ? titleWithUnit(title, QStringLiteral("ns")) : title;
    }
    if (role == Qt::ToolTipRole && section == kStepTime) {
        return plainTip(
            tr("The step of the run, on the run's clock: from when the last rank ends the step before to when the last "
               "rank ends this one. It differs from a rank's step where ranks do not start and end together."));
    }
    if (role == Qt::ToolTipRole && section == kRankTime) {
        return plainTip(tr("The step of this rank alone. Its parts add up to it."));
    }
    return role == Qt::DisplayRole ? QVariant(title) : QVariant();
}

QVariant StepsModel::exact(const Row& row, int column) const {
    const auto& partition = rankStep(row).partition;
    const auto part = [&](DurationNs Partition::*member) {
        return partition ? QVariant(qlonglong{(*partition).*member}) : QVariant(QString());
    };
    switch (column) {
        case kRun: return text(runs_[row.run]->run->name);
        case kStep: return qlonglong{runStep(row).index};
        case kStepTime: return qlonglong{runStep(row).duration_ns};
        case kRankTime: return qlonglong{rankStep(row).span.length()};
        case kCompute: return part(&Partition::compute_ns);
        case kExposedComm: return part(&Partition::exposed_comm_ns);
        case kExposedCopy: return part(&Partition::exposed_copy_ns);
        case kIdle: return part(&Partition::idle_ns);
        default: return {};
    }
}

QString StepsModel::cell(const Row& row, int column) const {
    const auto& partition = rankStep(row).partition;
    const auto part = [&](DurationNs Partition::*member) {
        return partition ? duration((*partition).*member) : QStringLiteral("–");
    };
    switch (column) {
        case kRun: return row.first ? text(runs_[row.run]->run->name) : QString();
        case kStep: return row.first ? QString::number(runStep(row).index) : QString();
        case kStepTime: return row.first ? duration(runStep(row).duration_ns) : QString();
        case kRank: return rankName(*runs_[row.run]->run, row.rank);
        case kRankTime: return duration(rankStep(row).span.length());
        case kCompute: return part(&Partition::compute_ns);
        case kExposedComm: return part(&Partition::exposed_comm_ns);
        case kExposedCopy: return part(&Partition::exposed_copy_ns);
        case kIdle: return part(&Partition::idle_ns);
        case kNotes: return notes(row);
        default: return {};
    }
}

bool StepsModel::hasNotes() const {
    return std::ranges::any_of(rows_, [this](const Row& row) { return !notes(row).isEmpty(); });
}

QString StepsModel::notes(const Row& row) const {
    const RankStep& step = rankStep(row);
    QStringList all;
    const RunStep& of_run = runStep(row);
    if (of_run.kind && !of_run.other_kind) {  // the reason names the other kind
        all.append(coreText(iterationTitle(of_run.kind)));
    }
    if (!step.complete) {
        all.append(step.incomplete_reason.empty() ? tr("incomplete") : coreText(step.incomplete_reason));
    }
    if (step.outlier) {
        all.append(step.outlier_reason.empty() ? tr("outlier, not in medians") : coreText(step.outlier_reason));
    }
    if (!step.partition) {
        all.append(tr("no GPU work"));
    }
    return all.join(QStringLiteral("; "));
}

std::vector<BarPart> StepsModel::parts(int row) const {
    const auto& partition = rankStep(rows_[static_cast<std::size_t>(row)]).partition;
    if (!partition) {
        return {};
    }
    const auto part = [](DurationNs ns, QColor colour, const QString& what, bool waste = false) {
        return BarPart{ns, colour, namedTime(what, ns), waste};
    };
    return {part(partition->compute_ns, colourOf(Swatch::Compute, theme_), tr("Compute")),
            part(partition->exposed_comm_ns, colourOf(Swatch::Communication, theme_), tr("Exposed communication")),
            part(partition->exposed_copy_ns, colourOf(Swatch::Copy, theme_), tr("Exposed copy")),
            part(partition->idle_ns, colourOf(Swatch::Idle, theme_), tr("Idle"), true)};
}

bool StepsModel::startsStep(int row) const {
    return rows_[static_cast<std::size_t>(row)].first;
}

SliceSelection StepsModel::mark(int row) const {
    const Row& at = rows_[static_cast<std::size_t>(row)];
    return {at.run, at.rank, rankStep(at).mark};
}

}  // namespace rankscope::ui
