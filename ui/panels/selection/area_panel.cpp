// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/selection/area_panel.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "ui/panels/shared/sum_table.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/swatches.h"
#include "ui/widgets/figure_delegate.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/stacked_bar.h"
#include "ui/widgets/table_look.h"
#include "ui/widgets/table_menu.h"
#include "ui/widgets/turning_splitter.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kGroupsShown = 500;
constexpr std::size_t kRanksListed = 64;
constexpr int kLeastName = 15;  // letters
constexpr int kLeastBar = 16;
constexpr int kRestMs = 120;  // while an area is being drawn, it is not added up for each pixel

/// The columns of a table.
enum GroupColumn : std::uint8_t { kKey, kThenKey, kCount, kTotal, kSelf, kMean, kShare };
enum RankColumn : std::uint8_t { kRankName, kBusy, kComputeTime, kExposedTime, kCopyTime, kIdleTime };

QString bytes(std::int64_t number) {
    return text(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, number))));
}

std::vector<BarPart> partsOf(const Partition& p, const Theme& theme) {
    const auto part = [](DurationNs ns, const QColor& colour, const QString& what, bool waste = false) {
        return BarPart{ns, colour, namedTime(what, ns), waste};
    };
    return {part(p.compute_ns, colourOf(Swatch::Compute, theme), AreaPanel::tr("Compute")),
            part(p.exposed_comm_ns, colourOf(Swatch::Communication, theme), AreaPanel::tr("Exposed communication")),
            part(p.exposed_copy_ns, colourOf(Swatch::Copy, theme), AreaPanel::tr("Exposed copy")),
            part(p.idle_ns, colourOf(Swatch::Idle, theme), AreaPanel::tr("Idle"), true)};
}

}  // namespace

AreaPanel::AreaPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      title_(plainLabel()),
      about_(plainLabel()),
      by_(new QComboBox),
      then_by_(new QComboBox),
      class_(new QComboBox),
      filter_(new QLineEdit),
      groups_(makeSumTable({tr("Name"), QString(), tr("Count"), tr("Total"), tr("Self"), tr("Mean"), tr("Share")},
                           tr("Grouped slices"))),
      ranks_(
          makeSumTable({tr("Rank"), tr("Busy"), tr("Compute"), tr("Exposed"), tr("Copy"), tr("Idle"), tr("Breakdown")},
                       tr("Breakdown of each rank's time"))),
      sums_(new TurningSplitter(tr("Sums and ranks"))) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    rest_.setSingleShot(true);
    rest_.setInterval(kRestMs);
    connect(&rest_, &QTimer::timeout, this, &AreaPanel::addUp);
    giveRest(*groups_, {kKey, kThenKey}, kLeastName);
    for (const int column : {kKey, kThenKey}) {
        groups_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }
    groups_->setTextElideMode(Qt::ElideMiddle);
    groups_->hideColumn(kThenKey);
    groups_->horizontalHeaderItem(kShare)->setToolTip(plainTip(tr("Of the self times of all rows")));
    FigureDelegate::dress(*groups_, theme);
    FigureDelegate::dress(*ranks_, theme);
    addTableMenu(*groups_);
    addTableMenu(*ranks_);
    nameTimes(*groups_, {kTotal, kSelf, kMean});
    nameTimes(*ranks_, {kComputeTime, kExposedTime, kCopyTime, kIdleTime});
    auto* copy = new QShortcut(QKeySequence::Copy, groups_);
    copy->setContext(Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, [this] { copySelection(*groups_); });
    const int bar_column = ranks_->columnCount() - 1;
    ranks_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    giveRest(*ranks_, {bar_column}, kLeastBar);
    ranks_->horizontalHeader()->moveSection(bar_column, 1);  // the overview column must not be scrolled away
    ranks_->setSelectionMode(QAbstractItemView::NoSelection);
    auto* left = new QWidget;
    auto* left_layout = new QVBoxLayout(left);
    left_layout->setContentsMargins(0, 0, 0, 0);
    left_layout->setSpacing(4);
    left_layout->addWidget(makeChoices());
    left_layout->addWidget(groups_, 1);
    sums_->addWidget(left);
    sums_->addWidget(ranks_);
    sums_->setStretchFactor(0, 1);
    sums_->setStretchFactor(1, 1);
    sums_->setSizes({1'350, 650});  // so that all columns of the sums are visible in a small window too
    QVBoxLayout* layout = makePanelPage(*this);
    layout->setContentsMargins(16, 10, 8, 8);
    layout->setSpacing(6);
    layout->addLayout(makePanelHead(*title_, *about_, {}));
    layout->addWidget(sums_, 1);
    layout->addStretch();  // below the text, if there are no sums
    showNothing();
}

QWidget* AreaPanel::makeChoices() {
    by_->setAccessibleName(tr("Group slices by"));
    then_by_->setAccessibleName(tr("Then group by"));
    class_->setAccessibleName(tr("Class of the slices"));
    filter_->setAccessibleName(tr("Filter names"));
    filter_->setPlaceholderText(tr("Filter names"));
    filter_->setClearButtonEnabled(true);
    then_by_->addItem(tr("then by nothing"));
    for (const AreaKey key : kAreaKeys) {
        const QString title = coreText(areaKeyTitle(key)).toLower();
        by_->addItem(tr("By %1").arg(title), static_cast<int>(key));
        then_by_->addItem(tr("then by %1").arg(title), static_cast<int>(key));
    }
    class_->addItem(tr("All classes"));
    auto* choices = new QWidget;
    auto* line = new WrappingRow(choices);
    line->setContentsMargins(0, 0, 8, 0);
    line->setSpacing(6);
    for (QComboBox* box : {by_, then_by_, class_}) {
        line->addWidget(box);
        connect(box, &QComboBox::currentIndexChanged, this, &AreaPanel::addUp);
    }
    line->addWidget(filter_, 1);
    connect(filter_, &QLineEdit::textChanged, this, &AreaPanel::addUp);
    return choices;
}

AreaQuery AreaPanel::query() const {
    AreaQuery asked;
    asked.by = static_cast<AreaKey>(by_->currentData().toInt());
    if (then_by_->currentIndex() > 0) {
        asked.then_by = static_cast<AreaKey>(then_by_->currentData().toInt());
    }
    if (class_->currentIndex() > 0) {
        asked.of_class = class_->currentData().toString().toStdString();
    }
    asked.with_text = filter_->text().trimmed().toStdString();
    return asked;
}

void AreaPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    area_.reset();
    classes_told_ = false;
    addUp();
}

void AreaPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    FigureDelegate::dress(*groups_, theme);
    FigureDelegate::dress(*ranks_, theme);
    addUp();
}

void AreaPanel::showArea(const std::optional<AreaSelection>& area) {
    area_ = area;
    classes_told_ = false;
    if (area) {
        rest_.start();
    } else {
        addUp();
    }
}

void AreaPanel::addUp() {
    rest_.stop();
    if (!area_ || area_->run >= runs_.size() || runs_[area_->run]->clock.ranks.empty()) {
        job_.forget();
        showNothing();
        return;
    }
    job_.start([this, run = runs_[area_->run], wanted = *area_, asked = query(),
                tell_classes = !classes_told_](const std::stop_token& stop) -> LatestJob::Show {
        Result<AreaSums> sums = sumArea(*run->run, run->facts, run->clock, wanted.area, stop);
        Result<AreaGroups> groups = groupArea(*run->run, run->facts, run->clock, wanted.area, asked, stop);
        std::vector<std::string> classes;
        if (tell_classes) {
            AreaQuery all;
            all.by = AreaKey::Class;
            Result<AreaGroups> by_class = groupArea(*run->run, run->facts, run->clock, wanted.area, all, stop);
            if (!by_class.ok()) {
                return {};
            }
            for (AreaGroup& group : by_class.value().groups) {
                classes.push_back(std::move(group.key));
            }
        }
        if (!sums.ok() || !groups.ok()) {
            return {};
        }
        return [this, wanted, asked, tell_classes, classes, sums = std::make_shared<AreaSums>(std::move(sums).value()),
                groups = std::make_shared<AreaGroups>(std::move(groups).value())] {
            if (tell_classes) {
                offerClasses(classes);
            }
            show(wanted, *sums);
            fillGroups(*groups, asked);
        };
    });
}

void AreaPanel::offerClasses(const std::vector<std::string>& classes) {
    const QSignalBlocker quiet(class_);
    const QVariant chosen = class_->currentIndex() > 0 ? class_->currentData() : QVariant();
    class_->clear();
    class_->addItem(tr("All classes"));
    for (const std::string& name : classes) {
        class_->addItem(coreText(name), text(name));
    }
    if (chosen.isValid()) {
        if (class_->findData(chosen) < 0) {  // the choice is kept, even if this area has none of it
            class_->addItem(coreText(chosen.toString().toStdString()), chosen);
        }
        class_->setCurrentIndex(class_->findData(chosen));
    }
    classes_told_ = true;
}

QString AreaPanel::summary() const {
    return title_->text() + QLatin1Char('\n') + about_->text();
}

void AreaPanel::finish() {
    if (rest_.isActive()) {
        addUp();
    }
    job_.finish();
}

void AreaPanel::showNothing() {
    title_->setText(tr("No area is marked."));
    about_->setText(
        tr("Drag over the tracks of the timeline to see the time in that area here, by class, name and rank."));
    groups_->setRowCount(0);
    ranks_->setRowCount(0);
    sums_->hide();
}

void AreaPanel::show(const AreaSelection& area, const AreaSums& sums) {
    const AnalysedRun& run = *runs_[area.run];
    const std::size_t tracks = area.area.tracks.size();
    const std::size_t on_ranks = sums.ranks.size();
    const QString on = on_ranks == 1 ? rankName(*run.run, sums.ranks.front().rank)
                                     : plural(tr("%n rank(s)", nullptr, static_cast<int>(on_ranks)), on_ranks);
    const QString words = tr("%1 on %n track(s) of %2", nullptr, static_cast<int>(tracks));
    title_->setText(plural(words, tracks).arg(duration(sums.length_ns), on));
    const QString slices = tr("%1 slice(s)", nullptr, static_cast<int>(sums.slices));
    QStringList parts{plural(slices, sums.slices).arg(count(sums.slices))};
    if (const std::size_t all = sums.collectives.size(); all > 0) {
        const QString collectives = sums.collective_bytes > 0
                                        ? tr("%1 collective(s) of %2", nullptr, static_cast<int>(all))
                                              .arg(count(all), bytes(sums.collective_bytes))
                                        : tr("%1 collective(s)", nullptr, static_cast<int>(all)).arg(count(all));
        parts.append(plural(collectives, all));
    }
    if (sums.copied_bytes > 0) {
        parts.append(tr("%1 copied").arg(bytes(sums.copied_bytes)));
    }
    about_->setText(parts.join(QStringLiteral("  ·  ")));
    sums_->show();
    fillRanks(run, sums);
}

void AreaPanel::fillGroups(const AreaGroups& groups, const AreaQuery& query) {
    const TableFill fill(*groups_);
    groups_->setSortingEnabled(false);
    groups_->horizontalHeaderItem(kKey)->setText(coreText(areaKeyTitle(query.by)));
    groups_->horizontalHeaderItem(kThenKey)->setText(query.then_by ? coreText(areaKeyTitle(*query.then_by))
                                                                   : QString());
    groups_->setColumnHidden(kThenKey, !query.then_by);
    const std::size_t shown = std::min(groups.groups.size(), kGroupsShown);
    groups_->setRowCount(static_cast<int>(shown));
    for (std::size_t i = 0; i < shown; ++i) {
        const AreaGroup& group = groups.groups[i];
        const int row = static_cast<int>(i);
        const auto name = [&](GroupColumn column, const std::string& key) {
            const QString words = coreText(key).simplified();
            auto* title = new QTableWidgetItem(cellWords(words));
            title->setData(kWholeTextRole, words);
            title->setToolTip(plainTip(words));
            groups_->setItem(row, column, title);
        };
        name(kKey, group.key);
        name(kThenKey, group.then_key);
        const double share =
            static_cast<double>(group.self_ns) / static_cast<double>(std::max<DurationNs>(1, groups.self_ns));
        const auto slices = static_cast<qint64>(group.count);
        groups_->setItem(row, kCount, new NumberItem(count(group.count), slices, slices));
        groups_->setItem(row, kTotal, timeItem(group.total_ns));
        groups_->setItem(row, kSelf, timeItem(group.self_ns));
        groups_->setItem(row, kMean, timeItem(group.meanNs()));
        groups_->setItem(row, kShare, new NumberItem(text(formatPercent(share)), group.self_ns, share));
    }
    // Sorted once, from the order in which they are added: equal rows keep that order, by name.
    groups_->horizontalHeader()->setSortIndicator(kTotal, Qt::DescendingOrder);
    groups_->setSortingEnabled(true);
}

void AreaPanel::fillRanks(const AnalysedRun& run, const AreaSums& sums) {
    const TableFill fill(*ranks_);
    const std::size_t shown = std::min(sums.ranks.size(), kRanksListed);
    const std::size_t more = sums.ranks.size() - shown;
    ranks_->setRowCount(static_cast<int>(shown + (more > 0 ? 1 : 0)));
    for (std::size_t i = 0; i < shown; ++i) {
        const AreaRank& rank = sums.ranks[i];
        const int row = static_cast<int>(i);
        ranks_->removeCellWidget(row, ranks_->columnCount() - 1);
        ranks_->setItem(row, 0, new QTableWidgetItem(rankName(*run.run, rank.rank)));
        for (int column = kBusy; column <= kIdleTime; ++column) {
            ranks_->setItem(row, column, new NumberItem(QStringLiteral("–"), row, QString()));
        }
        if (rank.partition) {
            const Partition& p = *rank.partition;
            ranks_->setItem(row, kBusy, new NumberItem(text(formatPercent(rank.busy)), row, rank.busy));
            ranks_->setItem(row, kComputeTime, timeItem(p.compute_ns));
            ranks_->setItem(row, kExposedTime, timeItem(p.exposed_comm_ns));
            ranks_->setItem(row, kCopyTime, timeItem(p.exposed_copy_ns));
            ranks_->setItem(row, kIdleTime, timeItem(p.idle_ns));
            auto* bar = new StackedBar;
            bar->setParts(partsOf(p, theme_));
            bar->setAccessibleName(tr("Breakdown of %1").arg(rankName(*run.run, rank.rank)));
            ranks_->setCellWidget(row, ranks_->columnCount() - 1, bar);
        }
    }
    if (more > 0) {
        ranks_->setItem(static_cast<int>(shown), 0, new QTableWidgetItem(tr("and %1 more").arg(more)));
    }
}

}  // namespace rankscope::ui
