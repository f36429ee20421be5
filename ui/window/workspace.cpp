// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/workspace.h"

#include <QHBoxLayout>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/report/model/summary.h"
#include "ui/calls/calls_panel.h"
#include "ui/charts/charts_panel.h"
#include "ui/panels/area_panel.h"
#include "ui/panels/clocks_panel.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/diagnoses_panel.h"
#include "ui/panels/explanation_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/hits_panel.h"
#include "ui/panels/search.h"
#include "ui/panels/search_bar.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/tables_panel.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr int kLeastBottom = 140;  // pixels: what a panel needs
const QString kBottomHeightKey = QStringLiteral("layout/bottom-height");

QSplitter* splitter(Qt::Orientation orientation, const char* name) {
    auto* made = new QSplitter(orientation);
    made->setObjectName(QLatin1String(name));
    made->setHandleWidth(1);
    made->setChildrenCollapsible(false);
    return made;
}

QString key(const QSplitter* of) {
    return QStringLiteral("layout/") + of->objectName();
}

}  // namespace

Workspace::Workspace(const Theme& theme, const std::shared_ptr<IndexStore>& indices, QWidget* parent)
    : QWidget(parent),
      timeline_(new TimelineWidget(theme, nullptr, indices)),
      diagnoses_(new DiagnosesPanel(theme)),
      explanation_(new ExplanationPanel(theme, indices)),
      details_(new DetailsPanel(theme, indices)),
      area_(new AreaPanel(theme)),
      steps_(new StepsPanel(theme)),
      health_(new HealthPanel(theme)),
      clocks_(new ClocksPanel(theme)),
      charts_(new ChartsPanel(theme)),
      tables_(new TablesPanel(theme)),
      calls_(new CallsPanel(theme)),
      hits_(new HitsPanel(theme)),
      search_bar_(new SearchBar),
      search_(new Search(*search_bar_, *hits_, {{timeline_, {}}}, this)),
      bottom_(new QTabWidget),
      across_(splitter(Qt::Horizontal, "across")),
      down_(splitter(Qt::Vertical, "down")),
      side_(splitter(Qt::Vertical, "side")) {
    layOut();
    wire();
}

void Workspace::layOut() {
    bottom_->setDocumentMode(true);
    const auto tab = [this](QWidget* panel, const char* name, const QString& title, const QString& about) {
        panel->setObjectName(QLatin1String(name));
        const int at = bottom_->addTab(panel, title);
        bottom_->setTabToolTip(at, about);
        panel->setWindowTitle(title);
    };
    tab(details_, "details", tr("Details"), tr("All that is known of the selected slice, with its args as recorded"));
    tab(area_, "area", tr("Area"), tr("The sums of the area that is dragged out on the timeline, by class and name"));
    tab(steps_, "steps", tr("Steps"),
        tr("Where the time of each step went on each rank; the parts add up to the step"));
    tab(charts_, "charts", tr("Charts"), tr("Steps, their lengths, lateness by rank and memory as charts"));
    tab(tables_, "tables", tr("Tables"), tr("Kernels and operators by name: calls, sums, self time"));
    tab(calls_, "calls", tr("Calls"), tr("Who called whom and how long, as a flame graph or a tree"));
    tab(hits_, "hits", tr("Search"), tr("The hits of the search, with their sum"));
    tab(clocks_, "clocks", tr("Clocks"),
        tr("How the ranks' clocks were aligned, how sure that is, and another choice"));
    tab(health_, "health", tr("Trace health"), tr("What is missing or wrong in the files of each rank"));
    bottom_->setAccessibleName(tr("Details and tables"));
    timeline_->setAccessibleName(tr("Timeline of all ranks"));
    auto* upper = new QWidget;
    auto* upper_layout = new QVBoxLayout(upper);
    upper_layout->setContentsMargins(0, 0, 0, 0);
    upper_layout->setSpacing(0);
    upper_layout->addWidget(search_bar_);
    upper_layout->addWidget(timeline_, 1);
    down_->addWidget(upper);
    down_->addWidget(bottom_);
    down_->setStretchFactor(0, 1);
    side_->addWidget(diagnoses_);
    side_->addWidget(explanation_);
    side_->setMinimumWidth(300);
    across_->addWidget(down_);
    across_->addWidget(side_);
    across_->setStretchFactor(0, 1);
    across_->setStretchFactor(1, 0);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(across_);
    // As one reads: what is searched, the timeline, what is below it, then the side.
    setTabOrder(search_bar_, timeline_);
    QWidget* last = timeline_;
    for (QWidget* control : timeline_->controls()) {
        setTabOrder(std::exchange(last, control), control);
    }
    setTabOrder(last, bottom_);
    setTabOrder(bottom_, diagnoses_);
    setTabOrder(diagnoses_, explanation_);
}

void Workspace::wire() {
    timeline_->leaveKeysToShortcuts();
    connect(timeline_, &TimelineWidget::selectionChanged, this, &Workspace::showSelection);
    connect(timeline_, &TimelineWidget::areaChanged, this, [this](const std::optional<AreaSelection>& area) {
        area_->showArea(area);
        calls_->setArea(area);
        showAreaPanel(area.has_value());
    });
    // A tab unfolds the lower part, and the one in front folds it again.
    connect(bottom_->tabBar(), &QTabBar::tabBarClicked, this, [this](int tab) {
        if (tab >= 0) {
            setBottomPanelVisible(bottom_folded_ || tab != bottom_->currentIndex());
        }
    });
    connect(down_, &QSplitter::splitterMoved, this, [this] { bottom_height_ = bottom_->height(); });
    connect(diagnoses_, &DiagnosesPanel::findingSelected, this, &Workspace::showFinding);
    connect(diagnoses_, &DiagnosesPanel::chartAsked, this, &Workspace::showChart);
    connect(diagnoses_, &DiagnosesPanel::sliceActivated, this, &Workspace::pointAt);
    connect(diagnoses_, &DiagnosesPanel::spanActivated, this, &Workspace::showSpan);
    connect(explanation_, &ExplanationPanel::evidenceActivated, this,
            [this](std::uint32_t run, const Evidence& evidence) {
                reveal({run, evidence.rank, evidence.slice});
            });
    connect(explanation_, &ExplanationPanel::sliceActivated, this, &Workspace::reveal);
    connect(details_, &DetailsPanel::sliceActivated, this, &Workspace::reveal);
    connect(steps_, &StepsPanel::sliceActivated, this, &Workspace::reveal);
    connect(charts_, &ChartsPanel::stepActivated, timeline_, &TimelineWidget::showStep);
    const auto find = [this](const QString& name) {
        search_->searchFor(name);
        showBelow(*hits_);
    };
    connect(tables_, &TablesPanel::nameActivated, this, find);
    connect(calls_, &CallsPanel::nameActivated, this, find);
    connect(calls_, &CallsPanel::sliceActivated, this, &Workspace::pointAt);
    connect(search_, &Search::hitChosen, this, [this](const SliceSelection& hit) {
        pointAt(hit);
        if (bottom_->currentWidget() != hits_) {
            showBelow(*details_);
        }
    });
}

// The panel comes to the front with an area, and goes with it: what was there before is there again.
void Workspace::showAreaPanel(bool drawn) {
    QWidget* front = bottom_->currentWidget();
    if (drawn && front != area_) {
        before_area_ = front;
        showBelow(*area_);
    } else if (!drawn && front == area_ && before_area_ != nullptr) {
        bottom_->setCurrentWidget(std::exchange(before_area_, nullptr));
    }
}

void Workspace::setRuns(const OpenRuns& runs, const std::vector<ClockChoice>& clocks) {
    runs_ = runs;
    timeline_->setRuns(runs);
    diagnoses_->setRuns(runs);
    explanation_->setRuns(runs);
    details_->setRuns(runs);
    area_->setRuns(runs);
    steps_->setRuns(runs);
    health_->setRuns(runs);
    countUnread();
    clocks_->setRuns(runs, clocks);
    charts_->setRuns(runs);
    tables_->setRuns(runs);
    calls_->setRuns(runs);
    search_->setRuns(runs);
    const Selection& selected = timeline_->selection();
    if (selected.index() != 0 && !std::holds_alternative<SliceSelection>(selected)) {
        details_->showWords(timeline_->selectionWords());
    }
}

void Workspace::setTheme(const Theme& theme) {
    timeline_->setTheme(theme);
    diagnoses_->setTheme(theme);
    explanation_->setTheme(theme);
    details_->setTheme(theme);
    area_->setTheme(theme);
    steps_->setTheme(theme);
    clocks_->setTheme(theme);
    health_->setTheme(theme);
    hits_->setTheme(theme);
    charts_->setTheme(theme);
    tables_->setTheme(theme);
    calls_->setTheme(theme);
    if (bottom_folded_) {
        sizeBottom();  // its tabs may have another height now
    }
}

void Workspace::countUnread() {
    std::size_t unread = 0;
    for (const auto& run : runs_) {
        unread += report::unreadCount(*run->run);
    }
    const QString title = health_->windowTitle();
    bottom_->setTabText(bottom_->indexOf(health_), unread > 0 ? tr("%1 (%2)").arg(title).arg(unread) : title);
}

void Workspace::pointAt(const SliceSelection& slice) {
    timeline_->reveal(slice);
    details_->showSlice(slice);
}

void Workspace::reveal(const SliceSelection& slice) {
    bottom_->setCurrentWidget(details_);
    pointAt(slice);
}

void Workspace::showCallsOfSelection() {
    if (const auto* slice = std::get_if<SliceSelection>(&timeline_->selection())) {
        calls_->showSlice(*slice);
    }
    showBelow(*calls_);
}

void Workspace::showBelow(QWidget& panel) {
    bottom_->setCurrentWidget(&panel);
    setBottomPanelVisible(true);
}

void Workspace::showPanel(const QString& name) {
    for (int i = 0; i < bottom_->count(); ++i) {
        if (bottom_->widget(i)->objectName() == name) {
            bottom_->setCurrentIndex(i);
        }
    }
}

QString Workspace::panelInFront() const {
    return bottom_->currentWidget()->objectName();
}

std::vector<PanelSummary> Workspace::panels() const {
    std::vector<PanelSummary> all = {
        {tr("Timeline"), tr("All ranks on one clock: steps, host threads, streams, gaps and overlap")},
        {tr("Overview"), tr("Every step of every rank in one picture, and the part of it that the timeline shows")},
        {tr("Diagnoses"), tr("What the steps are bound by, and the findings, dearest first")},
        {tr("Explanation"), tr("Why the selected finding, gap or collective costs what it costs, and what to do")}};
    for (int tab = 0; tab < bottom_->count(); ++tab) {
        all.push_back({bottom_->widget(tab)->windowTitle(), bottom_->tabToolTip(tab)});
    }
    return all;
}

void Workspace::stepFinding(int direction) {
    diagnoses_->step(direction);
}

void Workspace::showSelection(const Selection& selection) {
    if (const auto* slice = std::get_if<SliceSelection>(&selection)) {
        details_->showSlice(*slice);
        calls_->setSlice(*slice);
        const bool covers = bottom_folded_;
        showBelow(*details_);
        if (covers) {
            timeline_->keepSelectionInSight();  // what was clicked may lie where the details are now
        }
        if (!diagnoses_->selected()) {
            explanation_->clear();  // it is of what was selected before
        }
    } else if (const auto* gap = std::get_if<GapSelection>(&selection)) {
        details_->showWords(timeline_->selectionWords());
        diagnoses_->select(std::nullopt);
        explanation_->showGap(*gap);
    } else if (const auto* band = std::get_if<BandSelection>(&selection)) {
        details_->showWords(timeline_->selectionWords());
        diagnoses_->select(std::nullopt);
        explanation_->showBand(*band);
    } else if (const auto* late = std::get_if<StragglerSelection>(&selection)) {
        details_->showWords(timeline_->selectionWords());
        diagnoses_->select(FindingSelection{late->run, late->finding});
        explanation_->showFinding({late->run, late->finding});
    } else {
        details_->clear();
        if (!diagnoses_->selected()) {
            explanation_->clear();
        }
    }
}

void Workspace::showFinding(const FindingSelection& finding) {
    explanation_->showFinding(finding);
    const Finding& found = runs_[finding.run]->diagnosis.findings[finding.finding];
    if (!found.evidence.empty()) {
        reveal({finding.run, found.evidence.front().rank, found.evidence.front().slice});
    }
}

void Workspace::showChart(std::uint32_t run, StepChart chart) {
    const ChartsPanel::Chart which = chart == StepChart::Parts     ? ChartsPanel::kPartition
                                     : chart == StepChart::Lengths ? ChartsPanel::kDistribution
                                                                   : ChartsPanel::kLateness;
    showBelow(*charts_);
    charts_->showRun(run);
    charts_->showChart(which);
}

void Workspace::showSpan(std::uint32_t run, RankPosition rank, const TimeSpan& span) {
    const AnalysedRun& of = *runs_[run];
    const TimeSpan on_axis = of.clock.ranks[rank].toRun(FileSpan(span));
    timeline_->showSpan(run, rank, {on_axis.start_ns - of.clock.base_ns, on_axis.end_ns - of.clock.base_ns});
}

void Workspace::showPlace(std::uint32_t run, RankPosition rank, const TimeSpan& span, SliceRef slice) {
    if (slice.valid()) {
        pointAt({run, rank, slice});
    } else {
        timeline_->select({});
    }
    showSpan(run, rank, span);
}

std::size_t Workspace::currentRun() const {
    const std::size_t last = runs_.empty() ? 0 : runs_.size() - 1;
    const auto run_of = [&](const auto& selected) -> std::size_t {
        if constexpr (requires { selected.run; }) {
            return std::min<std::size_t>(selected.run, last);
        } else {
            return last;
        }
    };
    return std::visit(run_of, timeline_->selection());
}

bool Workspace::busy() const {
    return search_->busy() || tables_->job().busy() || calls_->job().busy() || charts_->busy();
}

void Workspace::setSidePanelVisible(bool visible) {
    side_->setVisible(visible);
}

void Workspace::setBottomPanelVisible(bool visible) {
    if (bottom_folded_ == visible) {
        bottom_folded_ = !visible;
        sizeBottom();
        Q_EMIT bottomPanelToggled(visible);
    }
}

void Workspace::sizeBottom() {
    // Hidden, not only without height: the keyboard must not go where nothing is seen.
    bottom_->findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly)->setVisible(!bottom_folded_);
    int wanted = bottom_height_;
    if (bottom_folded_) {
        wanted = bottom_->tabBar()->sizeHint().height();
        bottom_->setFixedHeight(wanted);
    } else {
        bottom_->setMinimumHeight(kLeastBottom);
        bottom_->setMaximumHeight(QWIDGETSIZE_MAX);
    }
    // A splitter does not look at the greatest height by itself.
    down_->setSizes({std::max(0, height() - wanted), wanted});
}

bool Workspace::sidePanelVisible() const {
    return !side_->isHidden();
}

bool Workspace::bottomPanelVisible() const {
    return !bottom_folded_;
}

void Workspace::saveLayout(QSettings& settings) const {
    for (const QSplitter* split : {across_, side_}) {
        settings.setValue(key(split), split->saveState());
    }
    settings.setValue(kBottomHeightKey, bottom_height_);
}

void Workspace::restoreLayout(const QSettings& settings) {
    bottom_height_ = settings.value(kBottomHeightKey).toInt();
    for (QSplitter* split : {across_, side_}) {
        const QByteArray state = settings.value(key(split)).toByteArray();
        sized_ = (!state.isEmpty() && split->restoreState(state)) || sized_;
    }
}

void Workspace::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (bottom_height_ < kLeastBottom) {
        bottom_height_ = std::clamp(height() * 34 / 100, 220, 440);
    }
    sizeBottom();
    if (sized_) {
        return;
    }
    sized_ = true;
    const int side = std::clamp(width() * 28 / 100, 340, 520);
    across_->setSizes({width() - side, side});
    side_->setSizes({height() * 54 / 100, height() * 46 / 100});
}

}  // namespace rankscope::ui
