// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/trace/health_panel.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/base/format.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/figure_delegate.h"
#include "ui/widgets/linked_label.h"

namespace rankscope::ui {
namespace {

constexpr int kRankWidth = 96;  // pixels

/// Roles that store which rank a row shows: the run and, in the next role, the rank.
constexpr int kRunRole = Qt::UserRole;
constexpr int kRankRole = Qt::UserRole + 1;

/// Links of a suspect: the answer whether it is communication.
const QString kIs = QStringLiteral("is");
const QString kIsNot = QStringLiteral("is-not");

QString suspectHtml(const CommunicationSuspect& suspect, const QString& of, const Theme& theme) {
    constexpr int kLongest = 40;  // letters: the advice must be visible next to it
    const QString name = nameInLine(suspect.name, kLongest).toHtmlEscaped();
    const QString calls = plural(QObject::tr("%1 call(s)", nullptr, static_cast<int>(suspect.calls)), suspect.calls)
                              .arg(count(suspect.calls));
    const QString time = duration(suspect.total_ns);
    const QString said =
        of.isEmpty()
            ? QObject::tr("The kernel %1 looks like communication and is counted as compute (%2, %3).")
                  .arg(name, calls, time)
            : QObject::tr("The kernel %1 looks like communication and is counted as compute (%2, %3 in all; %4).")
                  .arg(name, calls, time, of);
    return said + QStringLiteral("&nbsp; ") + labelLink(kIs, QObject::tr("Treat as communication"), theme) +
           QStringLiteral("&nbsp; · &nbsp;") + labelLink(kIsNot, QObject::tr("It is compute"), theme);
}

void addLine(QTreeWidgetItem* under, const QString& words) {
    auto* line = new QTreeWidgetItem(QStringList{words});
    line->setToolTip(0, plainTip(words));  // at the side not everything may fit
    under->addChild(line);
}

/// Makes lines of words span all columns. Called once all lines are there: before that, each call would make the tree
/// lay out everything again.
void spanLines(QTreeWidgetItem* under) {
    for (int i = 0; i < under->childCount(); ++i) {
        if (under->child(i)->columnCount() == 1) {
            under->child(i)->setFirstColumnSpanned(true);
        }
    }
}

QString fileName(const TraceFile& file) {
    const QString name = QFileInfo(text(file.path)).fileName();
    return file.member.empty() ? name : name + QStringLiteral(" / ") + text(file.member);
}

QTreeWidgetItem* rankRow(const AnalysedRun& run, RankPosition index) {
    const RankTrace& rank = *run.run->ranks[index];
    const Health& health = rank.health;
    auto* row = new QTreeWidgetItem(
        QStringList{rankName(*run.run, index), QString::number(rank.files.size()), count(health.events),
                    count(health.slices), count(health.skipped), count(health.recovered), count(health.overlapping),
                    count(health.early_kernels), count(health.unlinked_launches), count(health.unlinked_device)});
    for (int column = 1; column < row->columnCount(); ++column) {
        row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    row->setChildIndicatorPolicy(QTreeWidgetItem::ShowIndicator);
    return row;
}

/// The lines below a rank's row, except notes that are below the run.
void addLines(QTreeWidgetItem* row, const AnalysedRun& run, std::uint32_t index,
              const std::map<std::string, std::vector<RankPosition>>& below_run) {
    const RankTrace& rank = *run.run->ranks[index];
    const Health& health = rank.health;
    for (const TraceFile& file : rank.files) {
        addLine(row, QObject::tr("%1: %2 on disk, %3 of JSON")
                         .arg(fileName(file), text(formatBytes(file.bytes)), text(formatBytes(file.json_bytes))));
    }
    if (index < run.clock.ranks.size()) {
        const RankClock& clock = run.clock.ranks[index];
        const QString method = coreText(clockMethodName(clock.method));
        const QString offset = duration(clock.offset_ns);
        addLine(row, clock.uncertainty_ns
                         ? QObject::tr("Clock: %1, offset %2, uncertainty %3")
                               .arg(method, offset, duration(*clock.uncertainty_ns))
                         : QObject::tr("Clock: %1, offset %2, uncertainty unknown").arg(method, offset));
    }
    if (health.truncated) {
        addLine(row, QObject::tr("A file is cut short."));
    }
    if (health.negative_durations > 0) {
        const std::uint64_t below = health.negative_durations;
        const QString words = QObject::tr("%1 event(s) with a negative duration, kept with length zero", nullptr,
                                          static_cast<int>(below));
        addLine(row, plural(words, below).arg(count(below)));
    }
    for (const std::string& note : health.notes) {
        if (!below_run.contains(note)) {
            addLine(row, coreText(note));
        }
    }
    for (const ParseIssue& parse_issue : health.parse_issues) {
        const QString file = parse_issue.file < rank.files.size() ? fileName(rank.files[parse_issue.file]) : QString();
        addLine(row,
                QObject::tr("%1, byte %2: %3").arg(file, count(parse_issue.byte_offset), coreText(parse_issue.cause)));
    }
}

/// What the titles are short for, by column.
void explainTitles(QTreeWidgetItem& titles) {
    const QStringList meanings = {{},
                                  {},
                                  {},
                                  {},
                                  HealthPanel::tr("Events that could not be read"),
                                  HealthPanel::tr("Events that were read after their JSON was repaired"),
                                  HealthPanel::tr("Slices that partly overlap another one of their thread or stream"),
                                  HealthPanel::tr("GPU work that starts before its launch call does"),
                                  HealthPanel::tr("Launch calls whose GPU work is not in the file"),
                                  HealthPanel::tr("GPU work whose launch call is not in the file")};
    for (int column = 0; column < meanings.size(); ++column) {
        titles.setToolTip(column, plainTip(meanings[column]));
    }
}

/// The rows of ranks that the user has unfolded, by run and rank.
std::set<std::pair<std::uint32_t, std::uint32_t>> unfoldedRanks(QTreeWidget* tree) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> unfolded;
    for (QTreeWidgetItemIterator at(tree); *at != nullptr; ++at) {
        if ((*at)->isExpanded() && (*at)->data(0, kRankRole).isValid()) {
            unfolded.emplace((*at)->data(0, kRunRole).toUInt(), (*at)->data(0, kRankRole).toUInt());
        }
    }
    return unfolded;
}

}  // namespace

HealthPanel::HealthPanel(const Theme& theme, QWidget* parent)
    : DeferredPanel(parent), theme_(theme), tree_(new QTreeWidget(this)) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    tree_->setHeaderLabels({tr("Rank"), tr("Files"), tr("Events"), tr("Slices"), tr("Skipped"), tr("Recovered"),
                            tr("Overlapping"), tr("Early kernels"), tr("No GPU record"), tr("No launch")});
    explainTitles(*tree_->headerItem());
    tree_->header()->setStretchLastSection(false);
    for (int column = 1; column < tree_->columnCount(); ++column) {
        tree_->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        tree_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    tree_->header()->setResizeContentsPrecision(0);  // only for visible rows: there may be hundreds of ranks
    tree_->header()->setSectionResizeMode(0, QHeaderView::Interactive);
    tree_->setColumnWidth(0, kRankWidth);
    tree_->setUniformRowHeights(true);
    FigureDelegate::dress(*tree_, theme);
    tree_->setAccessibleName(tr("Contents of each rank's files"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 0);
    layout->addWidget(tree_);
    connect(tree_, &QTreeWidget::itemExpanded, this, &HealthPanel::describe);
}

void HealthPanel::describe(QTreeWidgetItem* row) {
    const QVariant run = row->data(0, kRunRole);
    if (!run.isValid() || row->childCount() > 0) {
        return;
    }
    const RankPosition rank(row->data(0, kRankRole).toUInt());
    const AnalysedRun& of = *runs_[run.toUInt()];
    const OfSeveral& several = several_[run.toUInt()];
    addLines(row, of, rank, several.notes);
    if (rank < of.facts.ranks.size()) {
        for (const CommunicationSuspect& suspect : of.facts.ranks[rank].communication_suspects) {
            if (!several.suspects.contains(suspect.name)) {
                addSuspect(row, suspect, {});
            }
        }
    }
    spanLines(row);
}

HealthPanel::OfSeveral HealthPanel::ofSeveral(const AnalysedRun& run) {
    OfSeveral all;
    for (RankPosition rank{0}; rank < run.run->ranks.size(); ++rank) {
        for (const std::string& note : run.run->ranks[rank]->health.notes) {
            std::vector<RankPosition>& ranks = all.notes[note];
            if (ranks.empty() || ranks.back() != rank) {
                ranks.push_back(rank);
            }
        }
        if (rank >= run.facts.ranks.size()) {
            continue;
        }
        for (const CommunicationSuspect& suspect : run.facts.ranks[rank].communication_suspects) {
            OfSeveral::Suspect& joined = all.suspects[suspect.name];
            joined.ranks.push_back(rank);
            joined.sum.name = suspect.name;
            joined.sum.calls += suspect.calls;
            joined.sum.total_ns += suspect.total_ns;
        }
    }
    std::erase_if(all.notes, [](const auto& note) { return note.second.size() < 2; });
    std::erase_if(all.suspects, [](const auto& suspect) { return suspect.second.ranks.size() < 2; });
    return all;
}

void HealthPanel::addOfSeveral(QTreeWidgetItem* under, const AnalysedRun& run, const OfSeveral& several) {
    for (const auto& [note, ranks] : several.notes) {
        addLine(under, QStringLiteral("%1: %2").arg(ranksName(*run.run, ranks), text(note)));
    }
    for (const auto& [name, suspect] : several.suspects) {
        addSuspect(under, suspect.sum, ranksName(*run.run, suspect.ranks));
    }
}

void HealthPanel::addSuspect(QTreeWidgetItem* under, const CommunicationSuspect& suspect, const QString& of) {
    auto* line = new QTreeWidgetItem(QStringList{QString()});
    under->addChild(line);
    auto* label = new LinkedLabel("plain");
    label->setContentsMargins(8, 2, 8, 2);
    label->setWordWrap(false);
    label->setToolTip(plainTip(text(suspect.name)));
    label->write(suspectHtml(suspect, of, theme_));
    connect(label, &QLabel::linkActivated, this,
            [this, kernel = text(suspect.name)](const QString& what) { Q_EMIT treatAsked(kernel, what == kIs); });
    tree_->setItemWidget(line, 0, label);
}

void HealthPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    FigureDelegate::dress(*tree_, theme);
    outdate();
}

void HealthPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    outdate();
}

void HealthPanel::refresh() {
    unfolded_ = unfoldedRanks(tree_);
    tree_->clear();
    several_.clear();
    for (const auto& run : runs_) {
        several_.push_back(ofSeveral(*run));
    }
    auto* root = tree_->invisibleRootItem();
    filled_.assign(runs_.size(), RankPosition{0});
    for (std::uint32_t index = 0; index < runs_.size(); ++index) {
        const AnalysedRun& run = *runs_[index];
        auto* under = runs_.size() > 1 ? new QTreeWidgetItem(root, {text(run.run->name)}) : root;
        for (const Error& error : run.run->unreadable) {
            addLine(under, tr("Could not be read: %1").arg(text(error.text())));
        }
        for (const std::string& note : run.run->notes) {
            addLine(under, coreText(note));
        }
        addOfSeveral(under, run, several_[index]);
        under->setExpanded(under != root);
        spanLines(under);
    }
    spanLines(root);
    fillOn();
}

void HealthPanel::fillOn() {
    std::size_t room = kRowsAtOnce;
    for (std::uint32_t index = 0; index < runs_.size() && room > 0; ++index) {
        room -= addRanks(index, room);
    }
    if (room == 0) {
        fillLater();
    }
}

std::size_t HealthPanel::addRanks(std::uint32_t run, std::size_t most) {
    const AnalysedRun& of = *runs_[run];
    const RankPosition from = filled_[run];
    const std::size_t count = std::min(most, of.run->ranks.size() - from);
    QTreeWidgetItem* root = tree_->invisibleRootItem();
    QTreeWidgetItem* under = runs_.size() > 1 ? root->child(static_cast<int>(run)) : root;
    QList<QTreeWidgetItem*> rows;
    for (; filled_[run] < from + count; ++filled_[run]) {
        QTreeWidgetItem* row = rankRow(of, filled_[run]);
        row->setData(0, kRunRole, run);
        row->setData(0, kRankRole, static_cast<std::uint32_t>(filled_[run]));
        rows.append(row);
    }
    under->insertChildren(static_cast<int>(from), rows);  // the notes of the run are below them
    for (QTreeWidgetItem* row : rows) {
        if (unfolded_.contains({run, row->data(0, kRankRole).toUInt()})) {
            row->setExpanded(true);
        }
    }
    return count;
}

}  // namespace rankscope::ui
