// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/communication_panel.h"

#include <QButtonGroup>
#include <QChart>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

#include "core/report/tables/communication.h"
#include "ui/panels/communication/bucket_chart.h"
#include "ui/panels/communication/communication_page.h"
#include "ui/panels/communication/overlap_chart.h"
#include "ui/panels/communication/transfer_chart.h"
#include "ui/panels/shared/run_choice.h"
#include "ui/panels/shared/sorted_table.h"
#include "ui/panels/shared/words.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/linked_label.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/turning_splitter.h"

namespace rankscope::ui {
namespace {

SortedTable* narrowTable(const QString& name, const Theme& theme) {
    auto* made = new SortedTable(name, new DataTableModel(theme));
    made->setNarrow(true);
    return made;
}

}  // namespace

CommunicationPanel::CommunicationPanel(const Theme& theme, QWidget* parent)
    : RunPanel(theme, parent),
      title_(new ElidedLabel("heading")),
      about_(new LinkedLabel("dim")),
      rank_(new QComboBox),
      times_(new QComboBox),
      buttons_{new QPushButton(tr("Transfers")), new QPushButton(tr("Overlap")), new QPushButton(tr("Bucket sizes"))},
      save_(new QPushButton(tr("Save picture..."))),
      transfers_(new TransferChart(theme)),
      overlap_(new OverlapChart(theme)),
      sizes_(new BucketChart(theme)),
      charts_{transfers_, overlap_, sizes_},
      tables_{narrowTable(tr("Latency and bandwidth"), theme),
              narrowTable(tr("Hidden and exposed communication"), theme),
              narrowTable(tr("Step time by bucket_cap_mb"), theme)},
      buckets_(narrowTable(tr("Buckets of a step, in order"), theme)),
      pages_(new QStackedWidget) {
    layOut();
    wire();
}

void CommunicationPanel::layOut() {
    about_->setFocusPolicy(Qt::NoFocus);  // it has no links
    rank_->setAccessibleName(tr("Rank"));
    times_->setAccessibleName(tr("Ring and tree on"));
    times_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* which = new QButtonGroup(this);
    for (std::size_t i = 0; i < kPages; ++i) {
        buttons_.at(i)->setCheckable(true);
        buttons_.at(i)->setProperty("role", QStringLiteral("choice"));
        which->addButton(buttons_.at(i), static_cast<int>(i));
        auto* halves = new TurningSplitter(tr("Chart and table"));
        halves->addEqual({charts_.at(i), tables_.at(i)});
        if (i == kBucketSizes) {
            halves->addEqual({buckets_});
        }
        pages_->addWidget(halves);
    }
    buttons_.front()->setChecked(true);
    connect(which, &QButtonGroup::idClicked, this, [this](int id) {
        pages_->setCurrentIndex(id);
        tell();
    });
    save_->setProperty("role", QStringLiteral("quiet"));
    connect(save_, &QPushButton::clicked, this, &CommunicationPanel::savePicture);
    setPage(makePanelHead(*title_, {&runBox(), rank_, times_, buttons_[0], buttons_[1], buttons_[2], save_}),
            {about_, pages_});
}

void CommunicationPanel::wire() {
    connect(rank_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
    connect(times_, &QComboBox::currentIndexChanged, this, [this] { showFit(fit_); });
    connect(tables_[kTransfers], &SortedTable::rowActivated, this, [this](std::uint32_t row) {
        fit_ = row;
        tell();
    });
    connect(tables_[kOverlap], &SortedTable::rowActivated, this, [this](std::uint32_t row) {
        const OverlapBar& bar = page_->bars[row];
        if (bar.step) {
            Q_EMIT stepActivated(runIndex(), bar.rank, *bar.step);
        } else {
            rank_->setCurrentIndex(static_cast<int>(static_cast<std::uint32_t>(bar.rank)) + 1);  // its steps
        }
    });
    connect(tables_[kBucketSizes], &SortedTable::rowActivated, this, [this] { goToBucketFinding(); });
    connect(sizes_, &BucketChart::findingAsked, this, &CommunicationPanel::goToBucketFinding);
    for (RunChart* chart : charts_) {
        connect(chart, &RunChart::sliceActivated, this, &CommunicationPanel::sliceActivated);
        connect(chart, &RunChart::stepActivated, this, &CommunicationPanel::stepActivated);
    }
}

void CommunicationPanel::setTheme(const Theme& theme) {
    RunPanel::setTheme(theme);
    for (std::size_t i = 0; i < kPages; ++i) {
        charts_.at(i)->setTheme(theme);
        tables_.at(i)->setTheme(theme);
    }
    buckets_->setTheme(theme);
}

CommunicationPanel::Page CommunicationPanel::page() const {
    return static_cast<Page>(pages_->currentIndex());
}

void CommunicationPanel::showPage(Page page) {
    buttons_.at(page)->setChecked(true);
    pages_->setCurrentIndex(page);
    tell();
}

// ---- contents

void CommunicationPanel::offerChoices(const AnalysedRun* of) {
    fit_ = 0;
    offerRanks(*rank_, of);
}

void CommunicationPanel::showRun(const std::shared_ptr<const AnalysedRun>& of) {
    work([of, rank = chosenRank(*rank_)] { return makeCommunicationPage(of, rank); },
         [this](const auto& page) { take(page); });
}

void CommunicationPanel::showNothing(const QString& why) {
    page_ = nullptr;
    title_->setText(why);
    about_->hide();
    pages_->hide();
    rank_->hide();
    times_->hide();
}

void CommunicationPanel::take(const std::shared_ptr<const CommunicationPage>& page) {
    page_ = page;
    overlap_->setRank(page->rank);
    for (RunChart* chart : charts_) {
        chart->setRun(page->of, runIndex());
    }
    // A chart without points says why; a table next to it would only repeat that.
    const std::array<std::pair<SortedTable*, std::shared_ptr<const report::DataTable>>, kPages + 1> tables = {
        {{tables_[kTransfers], page->fits},
         {tables_[kOverlap], page->overlap},
         {tables_[kBucketSizes], page->caps},
         {buckets_, page->buckets}}};
    for (const auto& [table, rows] : tables) {
        table->set(rows, QString());
        table->setVisible(!rows->rows.empty());
    }
    pages_->show();
    tell();
}

void CommunicationPanel::tell() {
    if (page_ == nullptr) {
        return;
    }
    rank_->setVisible(page() == kOverlap && page_->of->run->ranks.size() > 1);
    times_->setVisible(page() == kTransfers && fit_ < page_->links.size() && page_->links[fit_].model.has_value());
    switch (page()) {
        case kTransfers: showFit(fit_); return;
        case kOverlap: write(overlapHead(*page_)); return;
        case kBucketSizes: write(bucketsHead(*page_)); return;
    }
}

void CommunicationPanel::write(const CommunicationHead& head) {
    title_->setText(head.title);
    about_->write(head.about.toHtmlEscaped());
    about_->setVisible(!head.about.isEmpty());
}

void CommunicationPanel::showFit(std::size_t fit) {
    if (page_ == nullptr || page() != kTransfers) {
        return;
    }
    const QSignalBlocker quiet(times_);
    const int chosen = std::max(0, times_->currentIndex());
    times_->clear();
    if (fit < page_->links.size() && page_->links[fit].model) {
        for (const std::size_t times : report::kPredictedTimes) {
            times_->addItem(tr("On %1 ranks").arg(count(times * page_->links[fit].ranks)),
                            static_cast<qulonglong>(times));
        }
        times_->setCurrentIndex(std::min(chosen, times_->count() - 1));
    }
    const std::size_t times = std::max<qulonglong>(1, times_->currentData().toULongLong());
    transfers_->setFit(fit, times);
    write(fitHead(*page_, fit, times));
}

void CommunicationPanel::goToBucketFinding() {
    if (page_ == nullptr) {
        return;
    }
    const std::vector<Finding>& findings = page_->of->diagnosis.findings;
    const auto at = std::ranges::find(findings, FindingId::BucketSize, &Finding::id);
    if (at != findings.end()) {
        Q_EMIT findingActivated({runIndex(), static_cast<std::uint32_t>(at - findings.begin())});
    }
}

QString CommunicationPanel::summary() const {
    return title_->text() + (about_->isHidden() ? QString() : QLatin1Char('\n') + about_->words());
}

void CommunicationPanel::savePicture() {
    charts_.at(page())->savePicture();
}

}  // namespace rankscope::ui
