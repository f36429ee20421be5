// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/workspace.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QSettings>
#include <QShowEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/diagnosis/blocked_part.h"
#include "core/report/model/summary.h"
#include "ui/calls/calls_panel.h"
#include "ui/charts/charts_panel.h"
#include "ui/efficiency/communication_panel.h"
#include "ui/efficiency/efficiency_panel.h"
#include "ui/panels/area_panel.h"
#include "ui/panels/check_panel.h"
#include "ui/panels/clocks_panel.h"
#include "ui/panels/collectives_panel.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/diagnoses_panel.h"
#include "ui/panels/explanation_panel.h"
#include "ui/panels/grid_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/hits_panel.h"
#include "ui/panels/keyed_splitter.h"
#include "ui/panels/memory_panel.h"
#include "ui/panels/path_panel.h"
#include "ui/panels/pipeline_panel.h"
#include "ui/panels/search.h"
#include "ui/panels/search_bar.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/tables_panel.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/layout_document.h"
#include "ui/window/panel_places.h"
#include "ui/window/panel_tabs.h"

namespace rankscope::ui {
namespace {

constexpr int kLeastBottom = 140;  // pixels: what a panel needs
constexpr int kLeastSide = 300;
const QString kPanelsKey = QStringLiteral("layout/panels");
const QString kSideKey = QStringLiteral("layout/side-visible");

QSplitter* splitter(Qt::Orientation orientation, const char* name, const QString& divider) {
    auto* made = new KeyedSplitter(orientation, divider);
    made->setObjectName(QLatin1String(name));
    return made;
}

}  // namespace

Workspace::Workspace(const Theme& theme, const std::shared_ptr<IndexStore>& indices, QWidget* parent)
    : QWidget(parent),
      timeline_(new TimelineWidget(theme, nullptr, indices)),
      diagnoses_(new DiagnosesPanel(theme)),
      check_(new CheckPanel(theme)),
      explanation_(new ExplanationPanel(theme, indices)),
      details_(new DetailsPanel(theme, indices)),
      area_(new AreaPanel(theme)),
      steps_(new StepsPanel(theme)),
      path_(new PathPanel(theme)),
      grid_(new GridPanel(theme)),
      collectives_(new CollectivesPanel(theme)),
      pipeline_(new PipelinePanel(theme)),
      health_(new HealthPanel(theme)),
      clocks_(new ClocksPanel(theme)),
      charts_(new ChartsPanel(theme)),
      efficiency_(new EfficiencyPanel(theme)),
      communication_(new CommunicationPanel(theme)),
      memory_(new MemoryPanel(theme)),
      tables_(new TablesPanel(theme)),
      calls_(new CallsPanel(theme)),
      hits_(new HitsPanel(theme)),
      search_bar_(new SearchBar),
      search_(new Search(*search_bar_, *hits_, {{timeline_, {}}}, this)),
      places_(new PanelPlaces(*this, *timeline_)),
      bottom_(&places_->dock(PanelPlace::Below)),
      sides_({&places_->dock(PanelPlace::SideTop), &places_->dock(PanelPlace::SideBottom)}),
      across_(splitter(Qt::Horizontal, "across", tr("Timeline and side"))),
      down_(splitter(Qt::Vertical, "down", tr("Timeline and details"))),
      side_(splitter(Qt::Vertical, "side", tr("Upper and lower part of the side"))) {
    addPanels();
    layOut();
    wire();
}

void Workspace::addPanels() {
    const auto side = [this](QWidget* panel, const char* name, const QString& title, const QString& about,
                             PanelPlace place) { places_->add(*panel, name, title, about, place); };
    side(diagnoses_, "diagnoses", tr("Diagnoses"), tr("What the steps are bound by, and the findings, dearest first"),
         PanelPlace::SideTop);
    side(check_, "check", tr("Check"),
         tr("Where to look first, line by line, with the protocol and check lists of common troubles"),
         PanelPlace::SideTop);
    side(explanation_, "explanation", tr("Explanation"),
         tr("Why the selected finding, gap or collective costs what it costs, and what to do"), PanelPlace::SideBottom);
    const auto below = [this](QWidget* panel, const char* name, const QString& title, const QString& about) {
        places_->add(*panel, name, title, about, PanelPlace::Below);
    };
    // What is asked for rarely, or comes to the front by itself, stands last: it is the first that has no room.
    below(details_, "details", tr("Details"), tr("All that is known of the selected slice, with its args as recorded"));
    below(steps_, "steps", tr("Steps"),
          tr("Where the time of each step went on each rank; the parts add up to the step"));
    below(charts_, "charts", tr("Charts"), tr("Steps, their lengths, lateness by rank and memory as charts"));
    below(tables_, "tables", tr("Tables"),
          tr("Kernels and operators by name, statistics over ranks, and every table of the reports"));
    below(calls_, "calls", tr("Calls"), tr("Who called whom and how long, as a flame graph or a tree"));
    below(path_, "path", tr("Critical path"),
          tr("What the end of a step waited for, on whichever rank, by what it was and by rank"));
    below(collectives_, "collectives", tr("Collectives"),
          tr("Each collective of a run, of one group or of all with one role"));
    below(efficiency_, "efficiency", tr("Efficiency"),
          tr("How much of the hardware is used, where the rest went, and what its operators reach of their roofs"));
    below(communication_, "communication", tr("Communication"),
          tr("Latency and bandwidth of each kind and link, what of it is hidden, and sizes of DDP's buckets"));
    below(memory_, "memory", tr("Memory"),
          tr("What holds a device's memory, at the peak of a rank or in a snapshot, and what makes it less"));
    below(grid_, "grid", tr("Grid"),
          tr("How the ranks stand in the dimensions of the job, as a map, and what each process group is for"));
    below(pipeline_, "pipeline", tr("Pipeline"),
          tr("A step of a pipeline: its ranks as rows, micro-batches as numbered boxes, and the bubble"));
    below(area_, "area", tr("Area"), tr("The sums of the area that is dragged out on the timeline, by class and name"));
    below(hits_, "hits", tr("Search"), tr("The hits of the search, and how many they are"));
    below(clocks_, "clocks", tr("Clocks"),
          tr("How the ranks' clocks were aligned, how sure that is, and another choice"));
    below(health_, "health", tr("Trace health"), tr("What is missing or wrong in the files of each rank"));
}

void Workspace::layOut() {
    bottom_->setObjectName(QStringLiteral("below"));
    bottom_->setAccessibleName(tr("Details and tables"));
    sides_.front()->setAccessibleName(tr("Upper part of the side"));
    sides_.back()->setAccessibleName(tr("Lower part of the side"));
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
    for (PanelTabs* part : sides_) {
        side_->addWidget(part);
    }
    side_->setMinimumWidth(kLeastSide);
    across_->addWidget(down_);
    across_->addWidget(side_);
    across_->setStretchFactor(0, 1);
    across_->setStretchFactor(1, 0);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(across_);
    arrange();
}

void Workspace::arrange() {
    bottom_->setVisible(bottom_->count() > 0);
    bool returned = false;
    for (PanelTabs* part : sides_) {
        returned = returned || (part->isHidden() && part->count() > 0);
        part->setVisible(part->count() > 0);
    }
    if (returned) {
        shareSide();
    }
    const bool side_seen = side_wanted_ && (sides_.front()->count() > 0 || sides_.back()->count() > 0);
    if (side_->isVisible() && !side_seen) {
        side_width_ = side_->width();
    }
    const bool side_appears = side_->isHidden() && side_seen;
    if (!side_seen) {
        takeKeyboardFrom(*side_);
    }
    side_->setVisible(side_seen);
    if (side_appears) {
        shareWidth();
    }
    // As one reads: what is searched, the timeline, what is below it, then the side.
    setTabOrder(search_bar_, timeline_);
    QWidget* last = timeline_;
    for (QWidget* control : timeline_->controls()) {
        setTabOrder(std::exchange(last, control), control);
    }
    const std::array<std::pair<QSplitter*, PanelTabs*>, 3> parts = {
        {{down_, bottom_}, {across_, sides_.front()}, {side_, sides_.back()}}};
    for (const auto& [splitter, part] : parts) {
        setTabOrder(std::exchange(last, splitter->handle(1)), splitter->handle(1));
        last = part->followInTabOrder(last);
    }
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
    connect(bottom_, &PanelTabs::tabChosen, this,
            [this](bool was_in_front) { setBottomPanelVisible(bottom_folded_ || !was_in_front); });
    connect(down_, &QSplitter::splitterMoved, this, [this] { bottom_height_ = bottom_->height(); });
    connect(across_, &QSplitter::splitterMoved, this, [this] { side_width_ = side_->width(); });
    connect(side_, &QSplitter::splitterMoved, this, [this] {
        side_heights_ = {sides_.front()->height(), sides_.back()->height()};
    });
    connect(places_, &PanelPlaces::arranged, this, &Workspace::arrange);
    connect(places_, &PanelPlaces::usualLayoutAsked, this, &Workspace::useUsualLayout);
    connect(places_, &PanelPlaces::placed, this, [this](QWidget* panel) {
        showBelow(*panel);
        panel->window()->activateWindow();
    });
    connect(diagnoses_, &DiagnosesPanel::findingSelected, this, &Workspace::showFinding);
    connect(diagnoses_, &DiagnosesPanel::chartAsked, this, &Workspace::showChart);
    connect(diagnoses_, &DiagnosesPanel::sliceActivated, this, &Workspace::pointAt);
    connect(diagnoses_, &DiagnosesPanel::spanActivated, this, &Workspace::showSpan);
    connect(check_, &CheckPanel::findingAsked, diagnoses_, &DiagnosesPanel::choose);
    connect(check_, &CheckPanel::sliceActivated, this, &Workspace::pointAt);
    connect(check_, &CheckPanel::rankActivated, timeline_, &TimelineWidget::bringRankIntoSight);
    connect(check_, &CheckPanel::panelAsked, this, [this](const QString& name, const QString& page) {
        if (page == QStringLiteral("lateness")) {
            charts_->showChart(ChartsPanel::kLateness);
        } else if (page == QStringLiteral("overlap")) {
            communication_->showPage(CommunicationPanel::kOverlap);
        }
        if (QWidget* panel = places_->find(name)) {
            showBelow(*panel);
        }
    });
    connect(check_, &CheckPanel::checked, this, &Workspace::countLooks);
    connect(explanation_, &ExplanationPanel::evidenceActivated, this, &Workspace::revealEvidence);
    connect(explanation_, &ExplanationPanel::sliceActivated, this, &Workspace::reveal);
    connect(details_, &DetailsPanel::sliceActivated, this, &Workspace::reveal);
    connect(steps_, &StepsPanel::sliceActivated, this, &Workspace::reveal);
    connect(path_, &PathPanel::sliceActivated, this, &Workspace::pointAt);
    connect(timeline_, &TimelineWidget::stepInViewChanged, path_, &PathPanel::setStepInView);
    connect(grid_, &GridPanel::rankActivated, timeline_, &TimelineWidget::bringRankIntoSight);
    connect(grid_, &GridPanel::collectivesAsked, this, [this](std::uint32_t run, std::uint32_t group) {
        collectives_->showGroup(run, group);
        showBelow(*collectives_);
    });
    connect(collectives_, &CollectivesPanel::sliceActivated, this, &Workspace::pointAt);
    connect(pipeline_, &PipelinePanel::sliceActivated, this, &Workspace::pointAt);
    connect(memory_, &MemoryPanel::sliceActivated, this, &Workspace::pointAt);
    connect(memory_, &MemoryPanel::spanActivated, this, &Workspace::showSpan);
    connect(charts_, &ChartsPanel::stepActivated, timeline_, &TimelineWidget::showStep);
    connect(efficiency_, &EfficiencyPanel::sliceActivated, this, &Workspace::pointAt);
    connect(efficiency_, &EfficiencyPanel::findingActivated, diagnoses_, &DiagnosesPanel::choose);
    connect(communication_, &CommunicationPanel::sliceActivated, this, &Workspace::pointAt);
    connect(communication_, &CommunicationPanel::stepActivated, timeline_, &TimelineWidget::showStep);
    connect(communication_, &CommunicationPanel::findingActivated, diagnoses_, &DiagnosesPanel::choose);
    const auto find = [this](const QString& name) {
        search_->searchFor(name);
        showBelow(*hits_);
    };
    connect(tables_, &TablesPanel::nameActivated, this, find);
    connect(tables_, &TablesPanel::rankActivated, timeline_, &TimelineWidget::bringRankIntoSight);
    connect(tables_, &TablesPanel::spanActivated, timeline_, &TimelineWidget::showSpan);
    connect(tables_, &TablesPanel::stepActivated, timeline_, &TimelineWidget::showStep);
    connect(calls_, &CallsPanel::nameActivated, this, find);
    connect(calls_, &CallsPanel::sliceActivated, this, &Workspace::pointAt);
    connect(search_, &Search::hitChosen, this, [this](const SliceSelection& hit) {
        pointAt(hit);
        // Who looks at the list walks through it.
        if (!places_->isInFront(*hits_) || places_->placeOf(*hits_) != places_->placeOf(*details_)) {
            bring(*details_);
        }
    });
}

// The panel comes to the front with an area, and goes with it: what was there before is there again.
void Workspace::showAreaPanel(bool drawn) {
    QWidget* front = bottom_->currentWidget();
    if (places_->placeOf(*area_) != PanelPlace::Below) {
        if (drawn) {
            bring(*area_);
        }
    } else if (drawn && front != area_) {
        before_area_ = front;
        showBelow(*area_);
    } else if (!drawn && front == area_ && before_area_ != nullptr) {
        bottom_->setCurrentWidget(std::exchange(before_area_, nullptr));
    }
}

template <class Visit>
void Workspace::forEachPanel(const Visit& visit) {
    const auto each = [&](auto*... panel) { (visit(*panel), ...); };
    each(diagnoses_, check_, explanation_, details_, area_, steps_, path_, grid_, collectives_, pipeline_, health_,
         clocks_, charts_, efficiency_, communication_, memory_, tables_, calls_, hits_);
}

void Workspace::setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices) {
    runs_ = runs;
    timeline_->setRuns(runs);
    forEachPanel([&](auto& panel) {
        if constexpr (requires { panel.setRuns(runs, choices); }) {
            panel.setRuns(runs, choices);
        } else if constexpr (requires { panel.setRuns(runs); }) {
            panel.setRuns(runs);
        }
    });
    memory_->setOpen(runs, snapshots_);
    if (const auto area = timeline_->area()) {  // on the same slices, whatever their clocks say
        area_->showArea(area);
        calls_->setArea(area);
    }
    path_->setStepInView(timeline_->stepInView());
    grid_->setSelected(rankOf(timeline_->selection()));
    countUnread();
    places_->nameWindows();
    search_->setRuns(runs);
    const Selection& selected = timeline_->selection();
    if (selected.index() != 0 && !std::holds_alternative<SliceSelection>(selected)) {
        details_->showWords(timeline_->selectionWords());
    }
}

void Workspace::setSnapshots(const OpenSnapshots& snapshots) {
    if (snapshots_ != snapshots) {
        snapshots_ = snapshots;
        memory_->setOpen(runs_, snapshots_);
    }
}

void Workspace::showSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot) {
    memory_->showSnapshot(snapshot);
    showBelow(*memory_);
}

void Workspace::setTheme(const Theme& theme) {
    timeline_->setTheme(theme);
    forEachPanel([&](auto& panel) { panel.setTheme(theme); });
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
    places_->setTitle(*health_, unread > 0 ? tr("%1 (%2)").arg(title).arg(unread) : title);
}

void Workspace::countLooks(std::size_t look) {
    const QString title = check_->windowTitle();
    places_->setTitle(*check_, look > 0 ? tr("%1 (%2)").arg(title).arg(look) : title);
}

void Workspace::pointAt(const SliceSelection& slice) {
    timeline_->reveal(slice);
    details_->showSlice(slice);
    calls_->setSlice(slice);  // the step that it lies in can be chosen, wherever it was pointed at from
    follow(slice);
}

void Workspace::follow(const Selection& selection) {
    grid_->setSelected(rankOf(selection));
    pipeline_->follow(selection);
}

void Workspace::reveal(const SliceSelection& slice) {
    if (places_->placeOf(*details_) != places_->placeOf(*explanation_)) {
        places_->toFront(*details_);  // else they would cover what may have led here
    }
    pointAt(slice);
}

void Workspace::revealEvidence(std::uint32_t run, const Evidence& evidence) {
    if (bottom_folded_ || places_->placeOf(*details_) != PanelPlace::Below) {
        reveal({run, evidence.rank, evidence.slice});
    } else {
        pointAt({run, evidence.rank, evidence.slice});  // what is looked at below stays
    }
    if (const auto blocked = blockedBy(runs_[run]->facts, evidence)) {  // a call of microseconds says nothing by itself
        timeline_->reveal(timeline_->selection(), onAxis(run, evidence.rank, *blocked));
    }
}

void Workspace::showCallsOfSelection() {
    if (const auto* slice = std::get_if<SliceSelection>(&timeline_->selection())) {
        calls_->showSlice(*slice);
    }
    showBelow(*calls_);
}

void Workspace::bring(QWidget& panel) {
    places_->toFront(panel);
    if (places_->placeOf(panel) == PanelPlace::Below && bottom_folded_) {
        setBottomPanelVisible(true);
        timeline_->keepSelectionInSight();  // it may lie where the panel has unfolded
    }
}

void Workspace::showBelow(QWidget& panel) {
    bring(panel);
    const PanelPlace place = places_->placeOf(panel);
    if (place == PanelPlace::SideTop || place == PanelPlace::SideBottom) {
        setSidePanelVisible(true);
    }
}

void Workspace::showPanel(const QString& name) {
    if (QWidget* panel = places_->find(name)) {
        places_->toFront(*panel);
    }
}

QString Workspace::panelInFront() const {
    const QWidget* front = bottom_->currentWidget();
    return front == nullptr ? QString() : front->objectName();
}

std::vector<PanelSummary> Workspace::panels() const {
    std::vector<PanelSummary> all = {
        {tr("Timeline"), tr("All ranks on one clock: steps, host threads, streams, gaps and overlap")},
        {tr("Overview"), tr("Every step of every rank in one picture, and the part of it that the timeline shows")}};
    std::ranges::move(places_->summaries(), std::back_inserter(all));
    return all;
}

void Workspace::showStep(std::uint32_t run, RankPosition rank, RankStepPosition step) {
    timeline_->showStep(run, rank, step);
    timeline_->markRank(run, rank);
    grid_->setSelected(std::pair(run, rank));
    pipeline_->showRank(run, rank, step);
}

void Workspace::showFromAfar() {
    timeline_->setRankOrder(RankOrder::Lateness);
    showBelow(*grid_);
}

void Workspace::stepFinding(int direction) {
    if (places_->placeOf(*diagnoses_) != places_->placeOf(*explanation_)) {
        places_->toFront(*diagnoses_);  // the list shows where one is, beside what is explained
    }
    diagnoses_->step(direction);
}

void Workspace::showSelection(const Selection& selection) {
    follow(selection);
    if (const auto* slice = std::get_if<SliceSelection>(&selection)) {
        details_->showSlice(*slice);
        calls_->setSlice(*slice);
        if (timeline_->returning()) {
            return;  // what is looked at beside it stays
        }
        bring(*details_);
        if (!diagnoses_->selected()) {
            explanation_->clear();  // it is of what was selected before
        }
    } else if (const auto* gap = std::get_if<GapSelection>(&selection)) {
        details_->showWords(timeline_->selectionWords());
        diagnoses_->select(std::nullopt);
        explanation_->showGap(*gap);
        bring(*explanation_);
    } else if (const auto* band = std::get_if<BandSelection>(&selection)) {
        details_->showWords(timeline_->selectionWords());
        diagnoses_->select(std::nullopt);
        explanation_->showBand(*band);
        bring(*explanation_);
    } else if (const auto* late = std::get_if<StragglerSelection>(&selection)) {
        details_->showWords(timeline_->selectionWords());
        diagnoses_->select(FindingSelection{late->run, late->finding});
        explanation_->showFinding({late->run, late->finding});
        bring(*explanation_);
    } else {
        details_->clear();
        if (!diagnoses_->selected() && !timeline_->returning()) {
            explanation_->clear();
        }
    }
}

void Workspace::showFinding(const FindingSelection& finding) {
    explanation_->showFinding(finding);
    const Finding& found = runs_[finding.run]->diagnosis.findings[finding.finding];
    if (!found.evidence.empty()) {
        revealEvidence(finding.run, found.evidence.front());
    }
    bring(*explanation_);
}

void Workspace::showChart(std::uint32_t run, StepChart chart) {
    if (chart == StepChart::Path) {
        path_->showSteadySteps(run);
        return showBelow(*path_);
    }
    showBelow(*charts_);
    charts_->showRun(run);
    charts_->showChart(chart == StepChart::Lengths ? ChartsPanel::kDistribution : ChartsPanel::kLateness);
}

void Workspace::showSpan(std::uint32_t run, RankPosition rank, const TimeSpan& span) {
    timeline_->showSpan(run, rank, onAxis(run, rank, span));
}

TimeSpan Workspace::onAxis(std::uint32_t run, RankPosition rank, const TimeSpan& span) const {
    const AnalysedRun& of = *runs_[run];
    const TimeSpan on_axis = of.clock.ranks[rank].toRun(FileSpan(span));
    return {on_axis.start_ns - of.clock.base_ns, on_axis.end_ns - of.clock.base_ns};
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
    const auto in_view = timeline_->stepInView();
    const auto run_of = [&](const auto& selected) -> std::size_t {
        if constexpr (requires { selected.run; }) {
            return std::min<std::size_t>(selected.run, last);
        } else {
            return in_view ? std::min<std::size_t>(in_view->run, last) : last;
        }
    };
    return std::visit(run_of, timeline_->selection());
}

bool Workspace::busy() const {
    return diagnoses_->busy() || search_->busy() || tables_->job().busy() || calls_->job().busy() ||
           path_->job().busy() || grid_->job().busy() || check_->job().busy() || collectives_->job().busy() ||
           area_->busy() || charts_->busy() || memory_->job().busy() || efficiency_->busy() || communication_->busy();
}

void Workspace::setSidePanelVisible(bool visible) {
    if (side_wanted_ != visible) {
        side_wanted_ = visible;
        arrange();
        Q_EMIT sidePanelToggled(visible);
    }
}

void Workspace::setBottomPanelVisible(bool visible) {
    if (bottom_folded_ == visible) {
        bottom_folded_ = !visible;
        sizeBottom();
        Q_EMIT bottomPanelToggled(visible);
    }
}

void Workspace::takeKeyboardFrom(const QWidget& part) {
    if (const QWidget* at = QApplication::focusWidget(); at != nullptr && part.isAncestorOf(at)) {
        timeline_->setFocus();
    }
}

int Workspace::bottomHeight() const {
    const int wanted = bottom_height_ < kLeastBottom ? std::clamp(height() * 40 / 100, 220, 520) : bottom_height_;
    return std::min(wanted, std::max(kLeastBottom, height() - kLeastBottom));
}

void Workspace::sizeBottom() {
    // Hidden, not only without height: the keyboard must not go where nothing is seen.
    auto* pages = bottom_->findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly);
    if (bottom_folded_) {
        takeKeyboardFrom(*pages);
    }
    pages->setVisible(!bottom_folded_);
    int wanted = bottomHeight();
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
    return side_wanted_;
}

bool Workspace::bottomPanelVisible() const {
    return !bottom_folded_;
}

// ---- the layout

PanelLayout Workspace::layout() const {
    PanelLayout layout;
    layout.moved = places_->moved();
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        const QWidget* front = sides_.at(i)->currentWidget();
        layout.side_fronts.at(i) = front == nullptr ? std::string() : front->objectName().toStdString();
    }
    layout.side_heights = side_heights_;
    layout.side_width = side_width_;
    layout.bottom_height = bottom_height_;
    return layout;
}

void Workspace::setLayout(const PanelLayout& layout) {
    places_->setMoved(layout.moved);
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        sides_.at(i)->setCurrentWidget(places_->find(QString::fromStdString(layout.side_fronts.at(i))));
    }
    side_heights_ = layout.side_heights;
    side_width_ = layout.side_width;
    bottom_height_ = layout.bottom_height;
    sized_ = false;
    if (isVisible()) {
        shareRoom();
    }
}

void Workspace::useUsualLayout() {
    setLayout({});
    places_->toFront(*diagnoses_);
    setSidePanelVisible(true);
    setBottomPanelVisible(std::holds_alternative<SliceSelection>(timeline_->selection()) || timeline_->area());
}

void Workspace::saveLayout(QSettings& settings) const {
    settings.setValue(kPanelsKey, QString::fromStdString(layoutJson(layout()).dump()));
    settings.setValue(kSideKey, side_wanted_);
}

void Workspace::restoreLayout(const QSettings& settings) {
    const std::string kept = settings.value(kPanelsKey).toString().toStdString();
    try {
        if (!kept.empty()) {
            setLayout(layoutFromJson(Json::parse(kept)));
        }
    } catch (const Json::exception&) {  // NOLINT(bugprone-empty-catch): then it is the usual one
    }
    setSidePanelVisible(settings.value(kSideKey, true).toBool());
}

void Workspace::shareRoom() {
    sizeBottom();
    if (std::exchange(sized_, true)) {
        return;
    }
    shareWidth();
    shareSide();
}

void Workspace::shareWidth() {
    const int side = side_width_ > 0 ? std::clamp(side_width_, kLeastSide, std::max(kLeastSide, width() * 2 / 3))
                                     : std::clamp(width() * 28 / 100, 340, 520);
    across_->setSizes({width() - side, side});
}

void Workspace::shareSide() {
    const bool by_itself = side_heights_.front() <= 0 || side_heights_.back() <= 0;
    side_->setSizes(by_itself ? QList<int>{height() * 54 / 100, height() * 46 / 100}
                              : QList<int>{side_heights_.front(), side_heights_.back()});
}

void Workspace::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    shareRoom();
    places_->showWindows(true);
}

void Workspace::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (bottom_height_ < kLeastBottom && !bottom_folded_) {
        sizeBottom();  // its share of a window that had not its size yet
    }
}

void Workspace::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (!event->spontaneous()) {  // what they show is not there any more
        places_->showWindows(false);
    }
}

}  // namespace rankscope::ui
