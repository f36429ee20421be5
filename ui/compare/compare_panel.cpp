// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/ingest/load.h"
#include "ui/compare/compare_table.h"
#include "ui/compare/compare_text.h"
#include "ui/compare/waterfall.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/panels/shared/rich_text.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/keyed_splitter.h"
#include "ui/widgets/stacked_bar.h"

namespace rankscope::ui {
namespace {

constexpr int kWordsWidth = 390;
constexpr int kLeastWords = 260;
constexpr int kLeastTables = 420;
constexpr int kMargin = 12;

/// How a row of a page is looked up.
AskPlaces askOf(const std::shared_ptr<const ComparedRuns>& runs, ComparePage page, std::uint32_t row) {
    const RunComparison& of = runs->comparison;
    switch (page) {
        case ComparePage::Step: {
            const std::vector<WaterfallRow> rows = waterfallOf(*of.breakdown);
            const BreakdownRow part = rows[row].part.value_or(BreakdownRow());  // the whole step is shown as its mark
            return [runs, part](Locations& places) { return places.ofPart(part); };
        }
        case ComparePage::Findings:
            return [runs, &pair = of.findings[row]](Locations& places) { return places.ofFinding(pair); };
        case ComparePage::Kernels:
            return [runs, &pair = of.kernels[row]](Locations& places) { return places.ofName(pair.name, pair.work); };
        case ComparePage::Operators:
            return [runs, &pair = of.operators[row]](Locations& places) { return places.ofName(pair.name, pair.work); };
        case ComparePage::Collectives:
            return [runs, &pair = of.collectives[row]](Locations& places) { return places.ofCollective(pair); };
        case ComparePage::Ranks:
            return [runs, &pair = of.ranks[row]](Locations& places) { return places.ofRank(pair); };
    }
    return {};
}

/// Why a page has no row, and what to record.
QString noneOf(ComparePage page) {
    switch (page) {
        case ComparePage::Step:
            return ComparePanel::tr("Unknown: a run has no complete, steady-state step with GPU work.");
        case ComparePage::Findings: return ComparePanel::tr("Neither run has a finding.");
        case ComparePage::Kernels:
            return ComparePanel::tr("Neither run has GPU work. Record with ProfilerActivity.CUDA.");
        case ComparePage::Operators:
            return ComparePanel::tr("Neither run has operators. Record with ProfilerActivity.CPU.");
        case ComparePage::Collectives:
            return ComparePanel::tr("Neither run has collectives. Record every rank of a distributed job.");
        case ComparePage::Ranks: return ComparePanel::tr("The runs have no rank in common.");
    }
    return {};
}

}  // namespace

ComparePanel::ComparePanel(const Theme& theme, const std::shared_ptr<IndexStore>& indices, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      words_(new QTabWidget),
      verdict_(new RichText(tr("Verdict"), kMargin)),
      selected_(new RichText(tr("What is compared"), kMargin)),
      pages_(new QTabWidget),
      bar_box_(new QWidget),
      details_(new DetailsPanel(theme, indices)),
      hits_(new HitsPanel(theme)),
      waterfall_(new WaterfallDelegate(this)) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    const std::array<QString, kComparePages> titles = {tr("Step"),      tr("Findings"),    tr("Kernels"),
                                                       tr("Operators"), tr("Collectives"), tr("Ranks")};
    for (std::size_t i = 0; i < kComparePages; ++i) {
        const auto page = static_cast<ComparePage>(i);
        tables_[i] = new CompareTable(tr("%1, A against B").arg(titles[i]), theme);
        connect(tables_[i], &CompareTable::rowActivated, this,
                [this, page](std::uint32_t row) { activate(page, row); });
        pages_->addTab(page == ComparePage::Step ? stepPage() : tables_[i], titles[i]);
    }
    pages_->addTab(details_, tr("Details"));
    pages_->addTab(hits_, tr("Search"));
    connect(details_, &DetailsPanel::sliceActivated, this, &ComparePanel::sliceActivated);
    table(ComparePage::Step).setSortable(false);
    layOut();
    setRuns(nullptr);
}

QWidget* ComparePanel::stepPage() {
    auto* page = new QWidget;
    auto* bars = new QGridLayout(bar_box_);
    bars->setContentsMargins(11, 8, 16, 4);
    bars->setHorizontalSpacing(10);
    bars->setVerticalSpacing(4);
    bars->setColumnStretch(1, 1);
    for (int i = 0; i < 2; ++i) {
        const auto at = static_cast<std::size_t>(i);
        auto* name = plainLabel(i == 0 ? tr("A") : tr("B"));
        name->setProperty("role", QStringLiteral("heading"));
        bars_[at] = new StackedBar;
        lengths_[at] = plainLabel();
        bars->addWidget(name, i, 0);
        auto* room = new QHBoxLayout;
        room->setSpacing(0);
        room->addWidget(bars_[at]);
        room->addSpacing(0);
        bars->addLayout(room, i, 1);
        bars->addWidget(lengths_[at], i, 2);
    }
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar_box_);
    layout->addWidget(tables_[0], 1);
    return page;
}

void ComparePanel::layOut() {
    for (QTabWidget* tabs : {words_, pages_}) {
        tabs->setDocumentMode(true);
    }
    words_->addTab(verdict_, tr("Verdict"));
    words_->addTab(selected_, tr("Selection"));
    words_->setMinimumWidth(kLeastWords);
    pages_->setMinimumWidth(kLeastTables);
    words_->setAccessibleName(tr("Comparison in words"));
    pages_->setAccessibleName(tr("Changes, in tables"));
    for (RichText* of : {verdict_, selected_}) {
        connect(of, &RichText::anchorClicked, this, [this](const QUrl& url) {
            if (const auto slice = sliceOfLink(url.toString())) {
                Q_EMIT sliceActivated(*slice);
            }
        });
    }
    auto* across = new KeyedSplitter(Qt::Horizontal, tr("Text and tables"));
    across->addWidget(words_);
    across->addWidget(pages_);
    across->setStretchFactor(0, 0);
    across->setStretchFactor(1, 1);
    across->setSizes({kWordsWidth, kWordsWidth * 2});
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(across);
}

void ComparePanel::setRuns(std::shared_ptr<const ComparedRuns> runs) {
    runs_ = std::move(runs);
    pair_.reset();
    line_.reset();
    readArgs();
    details_->setRuns(runs_ ? OpenRuns{runs_->a, runs_->b} : OpenRuns());
    for (std::size_t i = 0; i < kComparePages; ++i) {
        tables_[i]->set(runs_ ? runs_->tables[i] : nullptr, runs_ ? noneOf(static_cast<ComparePage>(i)) : QString());
    }
    renderVerdict();
    renderPair();
    renderSteps();
}

void ComparePanel::setTheme(const Theme& theme) {
    theme_ = theme;
    for (CompareTable* table : tables_) {
        table->setTheme(theme);
    }
    details_->setTheme(theme);
    hits_->setTheme(theme);
    renderVerdict();
    renderPair();
    renderSteps();
}

void ComparePanel::renderVerdict() {
    verdict_->write(runs_ ? verdictHtml(*runs_, theme_) : dim(tr("Comparing..."), theme_), theme_);
}

void ComparePanel::renderPair() {
    if (!runs_ || !pair_) {
        selected_->write(dim(tr("Select a slice or a gap in either timeline. Its counterpart in the other is shown "
                                "there, and named here."),
                             theme_),
                         theme_);
        return;
    }
    QString html = pairHtml(*runs_, *pair_, theme_);
    if (pair_->selected && !selected_words_.isEmpty()) {
        html.prepend(QStringLiteral("<p>") + dim(selected_words_, theme_) + QStringLiteral("</p>"));
    }
    if (!pair_->selected && line_) {
        html += lineHtml(*runs_, line_->first, line_->second, theme_);
    }
    if (events_) {
        html += pairArgsHtml(*events_, theme_);
    }
    selected_->write(html, theme_);
}

// The mean steps of both runs: as bars and as the way from one to the other.
void ComparePanel::renderSteps() {
    const bool told = runs_ && runs_->comparison.breakdown;
    bar_box_->setVisible(told);
    if (!told) {
        return;
    }
    const Breakdown& breakdown = *runs_->comparison.breakdown;
    const DurationNs longer = std::max(breakdown.a_step_ns, breakdown.b_step_ns);
    for (const bool of_b : {false, true}) {
        const auto at = static_cast<std::size_t>(of_b);
        const DurationNs step = of_b ? breakdown.b_step_ns : breakdown.a_step_ns;
        std::vector<BarPart> parts = barOf(breakdown, of_b, theme_);
        parts.push_back({longer - step, theme_.surface, {}});  // both bars on one scale
        bars_[at]->setParts(std::move(parts));
        bars_[at]->setAccessibleName(of_b ? tr("Mean step of B") : tr("Mean step of A"));
        lengths_[at]->setText(duration(step));
    }
    std::vector<WaterfallBar> bars = waterfallBars(waterfallOf(breakdown), theme_);
    const DurationNs left_edge_ns = leftEdgeOf(bars);
    waterfall_->set(std::move(bars), left_edge_ns, theme_);
    table(ComparePage::Step).drawLast(waterfall_);
}

void ComparePanel::showPair(const FoundPair& pair) {
    pair_ = pair;
    readArgs();
    renderPair();
    words_->setCurrentWidget(selected_);
}

void ComparePanel::readArgs() {
    events_.reset();
    args_job_.forget();
    const auto* a = pair_ ? std::get_if<SliceLocation>(&pair_->places.a) : nullptr;
    const auto* b = pair_ ? std::get_if<SliceLocation>(&pair_->places.b) : nullptr;
    if (a == nullptr || b == nullptr) {
        return;
    }
    args_job_.start([this, runs = runs_, a = *a, b = *b](const std::stop_token&) {
        PairEvents read{readEventText(*runs->a->run->ranks[a.rank], a.slice),
                        readEventText(*runs->b->run->ranks[b.rank], b.slice)};
        return LatestJob::Show([this, read = std::move(read)] {
            events_ = read;
            renderPair();
        });
    });
}

void ComparePanel::clearPair() {
    if (pair_) {
        pair_.reset();
        readArgs();
        renderPair();
        words_->setCurrentWidget(verdict_);
    }
}

void ComparePanel::activate(ComparePage page, std::uint32_t row) {
    if (runs_) {
        line_ = {page, row};
        Q_EMIT asked(askOf(runs_, page, row));
    }
}

void ComparePanel::showPage(ComparePage page) {
    pages_->setCurrentIndex(static_cast<int>(page));
}

void ComparePanel::showDetails() {
    pages_->setCurrentWidget(details_);
}

void ComparePanel::showHits() {
    pages_->setCurrentWidget(hits_);
}

void ComparePanel::stepFinding(int direction) {
    showPage(ComparePage::Findings);
    table(ComparePage::Findings).step(direction);
}

QString ComparePanel::verdictText() const {
    return verdict_->toPlainText();
}

QString ComparePanel::pairText() const {
    return selected_->toPlainText();
}

}  // namespace rankscope::ui
