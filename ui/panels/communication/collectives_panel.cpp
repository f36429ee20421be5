// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/collectives_panel.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/panels/communication/collectives_model.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/role_words.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/table_look.h"
#include "ui/widgets/table_menu.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kMostOffered = 500;  // offered entries: more are no use in a list

/// The key of an entry of the choice: "group 3", "role tensor", "role -"; empty for all.
QString groupData(std::size_t group) {
    return QStringLiteral("group %1").arg(group);
}
QString roleData(std::optional<Role> role) {
    return QStringLiteral("role %1").arg(role ? text(roleName(*role)) : QStringLiteral("-"));
}

}  // namespace

CollectivesPanel::CollectivesPanel(const Theme& theme, QWidget* parent)
    : RunPanel(theme, parent),
      model_(new CollectivesModel(theme, this)),
      table_(new QTableView),
      which_(new QComboBox),
      about_(plainLabel()) {
    layOut();
    connect(which_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
    connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, &CollectivesPanel::sortBy);
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& at) { activate(at.row()); });
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& at) { activate(at.row()); });
    offerChoices(nullptr);
}

void CollectivesPanel::layOut() {
    which_->setAccessibleName(tr("Group or role"));
    about_->setProperty("role", QStringLiteral("dim"));
    table_->setModel(model_);
    table_->setAccessibleName(tr("Collectives"));
    dressTable(*table_);
    addSortAction(*table_, [this](int column) { sortBy(column); });
    fit_ = new ColumnFit(*table_);
    fit_->setPreferred({100, 60, 130, 200, 90, 90, 90, 110, 90, 90});
    table_->horizontalHeader()->setSectionsClickable(true);
    auto* line = new WrappingRow;
    line->setSpacing(6);
    line->addWidget(&runBox());
    line->addWidget(which_);
    line->addWidget(about_);
    QVBoxLayout* layout = makePanelPage(*this);
    layout->setContentsMargins(8, 6, 8, 0);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(table_, 1);
}

void CollectivesPanel::setTheme(const Theme& theme) {
    RunPanel::setTheme(theme);
    model_->setTheme(theme);
    fit_->setTheme(theme);
}

// Sorted by role, then by group; the user's choice is kept.
void CollectivesPanel::offerChoices(const AnalysedRun* of) {
    const QSignalBlocker quiet(which_);
    const QVariant before = which_->currentData();
    which_->clear();
    which_->addItem(tr("All groups"), QString());
    if (of != nullptr) {
        const RunFacts& facts = of->facts;
        const std::size_t groups = std::min(facts.collectives.groups.size(), facts.parallelism.groups.size());
        for (std::size_t r = 0; r <= kRoleCount; ++r) {
            const std::optional<Role> role = r < kRoleCount ? std::optional(static_cast<Role>(r)) : std::nullopt;
            const auto first = facts.parallelism.groups.begin();
            if (std::any_of(first, first + static_cast<std::ptrdiff_t>(groups),
                            [role](const GroupRole& group) { return group.role == role; })) {
                which_->addItem(tr("Role: %1").arg(roleTitle(role)), roleData(role));
            }
        }
        for (std::size_t g = 0; g < std::min(groups, kMostOffered); ++g) {
            const GroupRole& group = facts.parallelism.groups[g];
            std::vector<std::int64_t> numbers;
            std::ranges::transform(group.ranks, std::back_inserter(numbers), &RankNumber::value);
            const QString members = cellWords(numbersText(std::move(numbers)));
            which_->addItem(members.isEmpty() ? tr("Group: %1").arg(text(group.label()))
                                              : tr("Group: %1 (ranks %2)").arg(text(group.label()), members),
                            groupData(g));
        }
    }
    which_->setCurrentIndex(std::max(0, which_->findData(before)));
}

void CollectivesPanel::showGroup(std::uint32_t run, std::uint32_t group) {
    runBox().setCurrentIndex(static_cast<int>(run));
    offer();
    if (which_->findData(groupData(group)) < 0) {
        which_->addItem(tr("Group: #%1").arg(group), groupData(group));
    }
    which_->setCurrentIndex(which_->findData(groupData(group)));
}

CollectiveFilter CollectivesPanel::filter() const {
    CollectiveFilter filter;
    const QString chosen = which_->currentData().toString();
    const QString value = chosen.section(QLatin1Char(' '), 1);
    if (chosen.startsWith(QLatin1String("group"))) {
        filter.group = value.toUInt();
    } else if (!chosen.isEmpty()) {
        filter.of_role = true;
        filter.role = roleOf(value.toStdString());
    }
    return filter;
}

void CollectivesPanel::sortBy(int column) {
    descending_ = column_ == column ? !descending_ : column != CollectivesModel::kStart;
    column_ = column;
    table_->horizontalHeader()->setSortIndicatorShown(true);
    table_->horizontalHeader()->setSortIndicator(column, descending_ ? Qt::DescendingOrder : Qt::AscendingOrder);
    outdate();
}

void CollectivesPanel::showNothing(const QString& why) {
    model_->set(nullptr, {});
    about_->setText(why);
}

void CollectivesPanel::showRun(const std::shared_ptr<const AnalysedRun>& of) {
    const auto make = [of, wanted = filter(), column = column_, descending = descending_] {
        std::vector<CollectiveLine> lines = collectiveLines(of->facts, of->clock, wanted);
        if (!lines.empty()) {
            sortLines(lines, *of, column, descending);
        }
        return lines;
    };
    work(make, [this, of](const std::vector<CollectiveLine>& lines) {
        about_->setText(lines.empty()
                            ? tr("This run has no such collective.")
                            : plural(tr("%1 collective(s)", nullptr, static_cast<int>(lines.size())), lines.size())
                                  .arg(count(lines.size())));
        model_->set(of, lines);
    });
}

void CollectivesPanel::activate(int row) {
    const CollectiveLine& line = model_->line(row);
    const AnalysedRun& run = *runs()[runIndex()];
    const CollectiveMember& member = run.facts.collectives.collectives[line.collective].members[line.first_member];
    if (!member.slices.empty()) {
        Q_EMIT sliceActivated({runIndex(), member.rank, member.slices.front()});
    }
}

QString CollectivesPanel::summary() const {
    return about_->text();
}

}  // namespace rankscope::ui
