// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/area_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QShortcut>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.h"
#include "ui/panels/stacked_bar.h"
#include "ui/panels/table_look.h"
#include "ui/panels/table_menu.h"
#include "ui/panels/words.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kNamesShown = 500;
constexpr std::size_t kRanksListed = 64;
constexpr int kRowHeight = 24;

/// Sorted by its number, shown as text.
class NumberItem : public QTableWidgetItem {
  public:
    NumberItem(const QString& shown, qint64 number) : QTableWidgetItem(shown), number_(number) {
        setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    bool operator<(const QTableWidgetItem& other) const override {
        const auto* right = dynamic_cast<const NumberItem*>(&other);
        return right != nullptr ? number_ < right->number_ : QTableWidgetItem::operator<(other);
    }

  private:
    qint64 number_;
};

QTableWidget* makeTable(const QStringList& headers, const QString& name) {
    auto* table = new QTableWidget(0, static_cast<int>(headers.size()));
    table->setHorizontalHeaderLabels(headers);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setAccessibleName(name);
    table->setTabKeyNavigation(false);  // Tab leads on through the window
    table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int column = 1; column < table->columnCount(); ++column) {
        table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    table->horizontalHeader()->setHighlightSections(false);
    return table;
}

QString bytes(std::int64_t number) {
    return text(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, number))));
}

std::vector<BarPart> partsOf(const Partition& p, const Theme& theme) {
    const auto part = [](DurationNs ns, const QColor& colour, const QString& what) {
        return BarPart{ns, colour, what + QLatin1Char(' ') + duration(ns)};
    };
    return {part(p.compute_ns, colourOf(Swatch::Compute, theme), AreaPanel::tr("Compute")),
            part(p.exposed_comm_ns, colourOf(Swatch::Communication, theme), AreaPanel::tr("Exposed communication")),
            part(p.exposed_copy_ns, colourOf(Swatch::Copy, theme), AreaPanel::tr("Exposed copy")),
            part(p.idle_ns, colourOf(Swatch::Idle, theme), AreaPanel::tr("Idle"))};
}

}  // namespace

AreaPanel::AreaPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      title_(plainLabel()),
      about_(plainLabel()),
      names_(makeTable({tr("Name"), tr("Count"), tr("Total"), tr("Self"), tr("Mean")}, tr("Slices by name"))),
      ranks_(makeTable({tr("Rank"), tr("Busy"), tr("Compute"), tr("Exposed"), tr("Copy"), tr("Idle"), QString()},
                       tr("Where the time of each rank went"))) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    title_->setProperty("role", QStringLiteral("heading"));
    about_->setProperty("role", QStringLiteral("dim"));
    names_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    names_->setTextElideMode(Qt::ElideMiddle);
    addTableMenu(*names_);
    addTableMenu(*ranks_);
    auto* copy = new QShortcut(QKeySequence::Copy, names_);
    copy->setContext(Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, [this] { copySelection(*names_); });
    const int bar_column = ranks_->columnCount() - 1;
    ranks_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    ranks_->horizontalHeader()->setSectionResizeMode(bar_column, QHeaderView::Stretch);
    ranks_->setSelectionMode(QAbstractItemView::NoSelection);
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    head->addWidget(title_);
    head->addWidget(about_, 1);
    auto* split = new QSplitter(Qt::Horizontal);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    split->addWidget(names_);
    split->addWidget(ranks_);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 8, 8);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(split, 1);
    showNothing();
}

void AreaPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    showArea({});
}

void AreaPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    showArea(area_);
}

void AreaPanel::showArea(const std::optional<AreaSelection>& area) {
    area_ = area;
    if (!area || area->run >= runs_.size() || runs_[area->run]->clock.ranks.empty()) {
        job_.forget();
        showNothing();
        return;
    }
    job_.start([this, run = runs_[area->run], wanted = *area](const std::stop_token& stop) -> LatestJob::Show {
        Result<AreaSums> sums = sumArea(*run->run, run->facts, run->clock, wanted.area, stop);
        if (!sums.ok()) {
            return {};
        }
        return [this, wanted, sums = std::make_shared<AreaSums>(std::move(sums).value())] { show(wanted, *sums); };
    });
}

QString AreaPanel::summary() const {
    return title_->text() + QLatin1Char('\n') + about_->text();
}

void AreaPanel::finish() {
    job_.finish();
}

void AreaPanel::showNothing() {
    title_->setText(tr("No area is drawn."));
    about_->setText(tr("Drag over the tracks: what lies in that time on those tracks is added up here."));
    names_->setRowCount(0);
    ranks_->setRowCount(0);
}

void AreaPanel::show(const AreaSelection& area, const AreaSums& sums) {
    const AnalysedRun& run = *runs_[area.run];
    const std::size_t tracks = area.area.tracks.size();
    const QString on =
        sums.ranks.size() == 1 ? rankName(*run.run, sums.ranks.front().rank) : tr("%1 ranks").arg(sums.ranks.size());
    title_->setText(tr("%1 on %2 of %3")
                        .arg(duration(sums.length_ns), tracks == 1 ? tr("1 track") : tr("%1 tracks").arg(tracks), on));
    QStringList parts{sums.slices == 1 ? tr("1 slice") : tr("%1 slices").arg(count(sums.slices))};
    if (!sums.collectives.empty()) {
        QString words = sums.collectives.size() == 1 ? tr("1 collective")
                                                     : tr("%1 collectives").arg(count(sums.collectives.size()));
        if (sums.collective_bytes > 0) {
            words += tr(" of %1").arg(bytes(sums.collective_bytes));
        }
        parts.append(words);
    }
    if (sums.copied_bytes > 0) {
        parts.append(tr("%1 copied").arg(bytes(sums.copied_bytes)));
    }
    about_->setText(parts.join(QStringLiteral("  ·  ")));
    fillNames(sums);
    fillRanks(run, sums);
}

void AreaPanel::fillNames(const AreaSums& sums) {
    names_->setSortingEnabled(false);
    const std::size_t shown = std::min(sums.names.size(), kNamesShown);
    names_->setRowCount(static_cast<int>(shown));
    for (std::size_t i = 0; i < shown; ++i) {
        const AreaName& name = sums.names[i];
        const int row = static_cast<int>(i);
        const auto calls = static_cast<qint64>(name.count);
        const DurationNs mean = name.total_ns / std::max<qint64>(1, calls);
        const QString words = text(name.name).simplified();
        auto* title = new QTableWidgetItem(cellWords(words));
        title->setData(kWholeTextRole, words);
        title->setToolTip(plainTip(words));
        names_->setItem(row, 0, title);
        names_->setItem(row, 1, new NumberItem(count(name.count), calls));
        names_->setItem(row, 2, new NumberItem(duration(name.total_ns), name.total_ns));
        names_->setItem(row, 3, new NumberItem(duration(name.self_ns), name.self_ns));
        names_->setItem(row, 4, new NumberItem(duration(mean), mean));
    }
    names_->setSortingEnabled(true);
    names_->sortByColumn(2, Qt::DescendingOrder);
}

void AreaPanel::fillRanks(const AnalysedRun& run, const AreaSums& sums) {
    const std::size_t shown = std::min(sums.ranks.size(), kRanksListed);
    const std::size_t more = sums.ranks.size() - shown;
    ranks_->setRowCount(static_cast<int>(shown + (more > 0 ? 1 : 0)));
    for (std::size_t i = 0; i < shown; ++i) {
        const AreaRank& rank = sums.ranks[i];
        const int row = static_cast<int>(i);
        ranks_->removeCellWidget(row, ranks_->columnCount() - 1);
        ranks_->setItem(row, 0, new QTableWidgetItem(rankName(*run.run, rank.rank)));
        QStringList values{QStringLiteral("–"), QStringLiteral("–"), QStringLiteral("–"), QStringLiteral("–"),
                           QStringLiteral("–")};
        if (rank.partition) {
            const Partition& p = *rank.partition;
            values = {text(formatPercent(rank.busy)), duration(p.compute_ns), duration(p.exposed_comm_ns),
                      duration(p.exposed_copy_ns), duration(p.idle_ns)};
            auto* bar = new StackedBar;
            bar->setParts(partsOf(p, theme_));
            ranks_->setCellWidget(row, ranks_->columnCount() - 1, bar);
        }
        for (int column = 1; column <= values.size(); ++column) {
            ranks_->setItem(row, column, new NumberItem(values[column - 1], row));
        }
    }
    if (more > 0) {
        ranks_->setItem(static_cast<int>(shown), 0, new QTableWidgetItem(tr("and %1 more").arg(more)));
    }
}

}  // namespace rankscope::ui
