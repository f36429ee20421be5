// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/efficiency/communication_panel.h"

#include <QButtonGroup>
#include <QChart>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/report/model/communication.h"
#include "ui/efficiency/bucket_chart.h"
#include "ui/efficiency/communication_page.h"
#include "ui/efficiency/overlap_chart.h"
#include "ui/efficiency/transfer_chart.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/linked_label.h"
#include "ui/panels/panel_page.h"
#include "ui/panels/run_choice.h"
#include "ui/panels/sorted_table.h"
#include "ui/panels/turning_splitter.h"
#include "ui/panels/words.h"
#include "ui/panels/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr int kEqual = 1000;  // of parts side by side

SortedTable* narrowTable(const QString& name, const Theme& theme) {
    auto* made = new SortedTable(name, new DataTableModel(theme));
    made->setNarrow(true);
    return made;
}

}  // namespace

CommunicationPanel::CommunicationPanel(const Theme& theme, QWidget* parent)
    : DeferredPanel(parent),
      theme_(theme),
      title_(new ElidedLabel("heading")),
      about_(new LinkedLabel("dim")),
      run_(new QComboBox),
      rank_(new QComboBox),
      times_(new QComboBox),
      transfers_(new TransferChart(theme)),
      overlap_(new OverlapChart(theme)),
      sizes_(new BucketChart(theme)),
      charts_{transfers_, overlap_, sizes_},
      tables_{narrowTable(tr("Latency and bandwidth"), theme),
              narrowTable(tr("Hidden and exposed communication"), theme),
              narrowTable(tr("The step by bucket_cap_mb"), theme)},
      buckets_(narrowTable(tr("The buckets of a step, in their order"), theme)),
      pages_(new QStackedWidget) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    layOut();
    wire();
    setRuns({});
}

QWidget* CommunicationPanel::half(Page page) {
    auto* halves = new TurningSplitter(tr("Chart and table"));
    halves->addWidget(charts_.at(page));
    halves->addWidget(tables_.at(page));
    halves->setStretchFactor(0, 1);
    halves->setStretchFactor(1, 1);
    halves->setSizes({kEqual, kEqual});
    if (page == kBucketSizes) {
        halves->addWidget(buckets_);
        halves->setStretchFactor(2, 1);
        halves->setSizes({kEqual, kEqual, kEqual});
    }
    return halves;
}

void CommunicationPanel::layOut() {
    about_->setFocusPolicy(Qt::NoFocus);  // it has no links
    for (const Page page : {kTransfers, kOverlap, kBucketSizes}) {
        pages_->addWidget(half(page));
    }
    auto* head = new WrappingRow;
    head->setSpacing(12);
    head->addWidget(title_, 1);
    head->addWidget(makeChoices());
    QVBoxLayout* layout = makePanelPage(*this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(about_);
    layout->addWidget(pages_, 1);
}

QWidget* CommunicationPanel::makeChoices() {
    run_->setAccessibleName(tr("Run"));
    rank_->setAccessibleName(tr("Rank"));
    times_->setAccessibleName(tr("Ring and tree among"));
    times_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* which = new QButtonGroup(this);
    const std::array<QString, kPages> words = {tr("Transfers"), tr("Overlap"), tr("Bucket sizes")};
    auto* choices = new QWidget;
    auto* line = new WrappingRow(choices);
    line->setContentsMargins(0, 0, 0, 0);  // in a further row it begins where the title does
    line->setSpacing(6);
    for (QWidget* box : {run_, rank_, times_}) {
        line->addWidget(box);
    }
    for (std::size_t i = 0; i < kPages; ++i) {
        auto* button = new QPushButton(words.at(i));
        button->setCheckable(true);
        button->setProperty("role", QStringLiteral("choice"));
        which->addButton(button, static_cast<int>(i));
        line->addWidget(button);
        buttons_.at(i) = button;
    }
    buttons_.front()->setChecked(true);
    auto* save = new QPushButton(tr("Save picture..."));
    save->setProperty("role", QStringLiteral("quiet"));
    line->addWidget(save);
    connect(save, &QPushButton::clicked, this, &CommunicationPanel::savePicture);
    connect(which, &QButtonGroup::idClicked, this, [this](int id) {
        pages_->setCurrentIndex(id);
        tell();
    });
    return choices;
}

void CommunicationPanel::wire() {
    connect(run_, &QComboBox::currentIndexChanged, this, [this] { outdate(); });
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

void CommunicationPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    offerRuns(*run_, runs);
    outdate();
}

void CommunicationPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    for (std::size_t i = 0; i < kPages; ++i) {
        charts_.at(i)->setTheme(theme);
        tables_.at(i)->setTheme(theme);
    }
    buckets_->setTheme(theme);
}

std::uint32_t CommunicationPanel::runIndex() const {
    return static_cast<std::uint32_t>(std::max(0, run_->currentIndex()));
}

std::shared_ptr<const AnalysedRun> CommunicationPanel::run() const {
    return runIndex() < runs_.size() ? runs_[runIndex()] : nullptr;
}

std::optional<RankPosition> CommunicationPanel::rank() const {
    const int at = rank_->currentIndex();
    return at > 0 ? std::optional(RankPosition(at - 1)) : std::nullopt;
}

CommunicationPanel::Page CommunicationPanel::page() const {
    return static_cast<Page>(pages_->currentIndex());
}

void CommunicationPanel::showPage(Page page) {
    buttons_.at(page)->setChecked(true);
    pages_->setCurrentIndex(page);
    tell();
}

// ---- what is shown

void CommunicationPanel::refresh() {
    const auto of = run();
    if (of != offered_) {
        offered_ = of;
        fit_ = 0;
        offerRanks(*rank_, of.get());
    }
    if (of == nullptr || of->facts.ranks.empty()) {
        job_.forget();
        tellNothing(of == nullptr ? tr("No run is open.") : tr("The run is being analysed."));
        return;
    }
    job_.start([this, of, of_rank = rank()](const std::stop_token& stop) -> LatestJob::Show {
        if (stop.stop_requested()) {
            return {};
        }
        return [this, page = makeCommunicationPage(of, of_rank)] { take(page); };
    });
}

void CommunicationPanel::tellNothing(const QString& why) {
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
    // A chart without points says why; a table beside it would only say so again.
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
            times_->addItem(tr("Among %1 ranks").arg(count(times * page_->links[fit].ranks)),
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
