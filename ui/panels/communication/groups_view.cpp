// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/groups_view.h"

#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QPushButton>
#include <QSet>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/analysis/confidence.h"
#include "ui/panels/shared/sum_table.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/role_words.h"
#include "ui/theme/text_scale.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/figure_delegate.h"
#include "ui/widgets/table_menu.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

enum Column : int { kRole, kGroup, kRanks, kExposed, kConfidence, kColumns };
constexpr int kGroupRole = Qt::UserRole;    // role of the first cell of a row: the index of its group
constexpr int kMostLetters = 40;            // in a column: longer text is cut
constexpr int kLeastLettersOfGroup = 14;    // left of a name that is cut in its middle
constexpr int kMostMeasured = 100;          // different texts of a column
constexpr int kLeastEvidence = 40;          // pixels: two lines
constexpr std::size_t kMostListed = 2'000;  // rows in the list

QString membersText(const GroupRole& group) {
    if (group.ranks.empty()) {
        return group.size >= 0
                   ? plural(GroupsView::tr("%n rank(s)", nullptr, group.size), static_cast<std::uint64_t>(group.size))
                   : QStringLiteral("\u2013");
    }
    std::vector<std::int64_t> numbers;
    std::ranges::transform(group.ranks, std::back_inserter(numbers), &RankNumber::value);
    const std::optional<std::int32_t> stride = strideOf(group.ranks);
    if (stride && *stride > 1 && numbers.size() > 2) {
        return GroupsView::tr("%1 to %2, %3 apart").arg(numbers.front()).arg(numbers.back()).arg(*stride);
    }
    return numbersText(std::move(numbers));
}

QString confidenceOf(const GroupRole& group) {
    if (!group.role) {
        return QStringLiteral("\u2013");
    }
    return group.by_user ? GroupsView::tr("your entry") : coreText(confidenceName(group.confidence));
}

/// The groups in the order of the list: those with a known role first, then by exposed time, longest first.
std::vector<std::size_t> listedOf(const ParallelismFacts& facts) {
    std::vector<std::size_t> groups(facts.groups.size());
    std::iota(groups.begin(), groups.end(), std::size_t{0});
    std::ranges::stable_sort(groups, [&facts](std::size_t a, std::size_t b) {
        const GroupRole& of_a = facts.groups[a];
        const GroupRole& of_b = facts.groups[b];
        return of_a.role.has_value() != of_b.role.has_value() ? of_a.role.has_value()
                                                              : of_a.exposed_ns > of_b.exposed_ns;
    });
    groups.resize(std::min(kMostListed, groups.size()));
    return groups;
}

}  // namespace

GroupsView::GroupsView(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      table_(makeSumTable({tr("Role"), tr("Group"), tr("Ranks"), tr("Exposed / step"), tr("Confidence")},
                          tr("Process groups"))),
      evidence_(new QTextBrowser),
      role_(new QComboBox),
      collectives_(new QPushButton(tr("Its collectives"))) {
    FigureDelegate::dress(*table_, theme);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    QHeaderView& titles = *table_->horizontalHeader();
    titles.setSectionResizeMode(QHeaderView::Interactive);
    titles.setStretchLastSection(true);
    for (const int column : {kGroup, kRanks, kConfidence}) {
        table_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }
    table_->horizontalHeaderItem(kExposed)->setToolTip(
        plainTip(tr("Exposed communication of this group: mean over a rank's complete, steady steps")));
    titles.moveSection(kRanks, kGroup);  // before the names, which are long and similar: the ranks distinguish groups
    table_->setItemDelegateForColumn(kGroup, new NameDelegate(table_));
    table_->viewport()->installEventFilter(this);
    addTableMenu(*table_);
    nameTimes(*table_, {kExposed});
    evidence_->setAccessibleName(tr("Why this role"));
    evidence_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    evidence_->setMinimumHeight(kLeastEvidence);
    evidence_->setFrameShape(QFrame::NoFrame);
    role_->setAccessibleName(tr("Role of the group"));
    role_->addItem(tr("Detected"));
    for (std::size_t r = 0; r < kRoleCount; ++r) {
        role_->addItem(tr("Set to: %1").arg(roleTitle(static_cast<Role>(r))));
    }
    role_->setToolTip(plainTip(tr("Role of the groups of this name, if you know better. The run is analysed again.")));
    collectives_->setProperty("role", QStringLiteral("quiet"));
    auto* line = new WrappingRow;
    line->setSpacing(6);
    line->addWidget(role_);
    line->addWidget(collectives_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(table_, 3);
    layout->addLayout(line);
    layout->addWidget(evidence_, 2);
    connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
        showChosen();
        Q_EMIT groupChosen(chosen());
    });
    const auto ask = [this] {
        if (const GroupRole* of = group(); of != nullptr && of->group) {
            Q_EMIT collectivesAsked(*of->group);
        }
    };
    connect(table_, &QTableWidget::itemActivated, this, ask);
    connect(collectives_, &QPushButton::clicked, this, ask);
    connect(role_, &QComboBox::activated, this, [this](int index) {
        if (const GroupRole* of = group()) {
            Q_EMIT roleChosen(text(of->label()),
                              index == 0 ? std::nullopt : std::optional(static_cast<Role>(index - 1)));
        }
    });
    showChosen();
}

std::optional<std::size_t> GroupsView::chosen() const {
    const QList<QTableWidgetItem*> items = table_->selectedItems();
    return items.empty() ? std::nullopt
                         : std::optional(static_cast<std::size_t>(
                               table_->item(items.front()->row(), kGroup)->data(kGroupRole).toULongLong()));
}

const GroupRole* GroupsView::group() const {
    const auto at = chosen();
    return run_ != nullptr && at && *at < run_->facts.parallelism.groups.size() ? &run_->facts.parallelism.groups[*at]
                                                                                : nullptr;
}

void GroupsView::setTheme(const Theme& theme) {
    FigureDelegate::dress(*table_, theme);
    shareWidth();
}

void GroupsView::setRun(std::shared_ptr<const AnalysedRun> run) {
    const GroupRole* before = group();
    const std::string called = before != nullptr ? before->label() : std::string();
    run_ = std::move(run);
    {
        const QSignalBlocker quiet(table_);
        fill();
        for (int row = 0; row < table_->rowCount() && !called.empty(); ++row) {
            if (table_->item(row, kGroup)->text() == text(called)) {
                table_->selectRow(row);
                table_->scrollToItem(table_->item(row, kGroup));
                break;
            }
        }
    }
    showChosen();
    Q_EMIT groupChosen(chosen());
}

bool GroupsView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        shareWidth();
    }
    return QWidget::eventFilter(watched, event);
}

// Each column gets the width of its text; the rest is for the names. If there is not enough room, the names are cut,
// since the ranks distinguish groups.
void GroupsView::shareWidth() {
    const QFontMetrics words_metrics = table_->fontMetrics();
    const QFontMetrics figures = FigureDelegate::metricsOf(*table_);
    const int most = kMostLetters * words_metrics.averageCharWidth();
    int all = 0;
    for (int column = 0; column < kColumns; ++column) {
        const QFontMetrics& metrics = column == kExposed ? figures : words_metrics;
        int words = 0;
        QSet<QString> measured;
        for (int row = 0; row < table_->rowCount() && measured.size() < kMostMeasured; ++row) {
            const QString shown = table_->item(row, column)->text();
            if (const auto before = measured.size(); measured.insert(shown), measured.size() > before) {
                words = std::max(words, metrics.horizontalAdvance(shown));
            }
        }
        const int width =
            std::max(std::min(words, most) + 2 * kCellPadding, table_->horizontalHeader()->sectionSizeHint(column));
        table_->setColumnWidth(column, width);
        all += width;
    }
    const int some_letters =
        kLeastLettersOfGroup * words_metrics.horizontalAdvance(QLatin1Char('N')) + 2 * kCellPadding;
    const int least = std::max(std::min(table_->columnWidth(kGroup), some_letters),
                               table_->horizontalHeader()->sectionSizeHint(kGroup));
    table_->setColumnWidth(kGroup, std::max(least, table_->columnWidth(kGroup) + table_->viewport()->width() - all));
}

void GroupsView::fill() {
    table_->setSortingEnabled(false);
    table_->clearSelection();
    const auto* facts = run_ != nullptr ? &run_->facts.parallelism : nullptr;
    const std::vector<std::size_t> groups = facts == nullptr ? std::vector<std::size_t>() : listedOf(*facts);
    table_->setRowCount(static_cast<int>(groups.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const std::size_t g = groups[static_cast<std::size_t>(row)];
        const GroupRole& of = facts->groups[g];
        auto* name = new QTableWidgetItem(cellWords(text(of.label())));
        name->setData(kGroupRole, static_cast<qulonglong>(g));
        const DurationNs exposed_ns = of.exposedAStep();
        table_->setItem(row, kGroup, name);
        table_->setItem(row, kRole, new QTableWidgetItem(roleTitle(of)));
        table_->setItem(row, kConfidence, new QTableWidgetItem(confidenceOf(of)));
        auto* ranks = new NumberItem(cellWords(membersText(of)), of.ranks.empty() ? -1 : of.ranks.front().value);
        ranks->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        table_->setItem(row, kRanks, ranks);
        table_->setItem(row, kExposed,
                        new NumberItem(exposed_ns > 0 ? duration(exposed_ns) : QStringLiteral("\u2013"), exposed_ns,
                                       exposed_ns > 0 ? QVariant(qlonglong{exposed_ns}) : QVariant(QString())));
    }
    table_->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);  // in the order in which they were added
    table_->setSortingEnabled(true);
    shareWidth();
}

void GroupsView::showChosen() {
    const GroupRole* of = group();
    role_->setEnabled(of != nullptr);
    evidence_->setVisible(of != nullptr || table_->rowCount() == 0);
    collectives_->setEnabled(of != nullptr && of->group.has_value());
    if (of == nullptr) {
        role_->setCurrentIndex(0);
        evidence_->setPlainText(tr("This run has no process group."));
        return;
    }
    role_->setCurrentIndex(of->by_user && of->role ? static_cast<int>(*of->role) + 1 : 0);
    QStringList sentences;
    for (const std::string& sentence : of->evidence) {
        sentences << coreText(sentence);
    }
    evidence_->setPlainText(sentences.join(QLatin1Char(' ')));
}

}  // namespace rankscope::ui
