// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/selection_flow.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/diagnosis/evidence/finding_places.h"
#include "core/diagnosis/prices/blocked_part.h"
#include "ui/charts/charts_panel.h"
#include "ui/panels/communication/collectives_panel.h"
#include "ui/panels/communication/communication_panel.h"
#include "ui/panels/communication/grid_panel.h"
#include "ui/panels/communication/pipeline_panel.h"
#include "ui/panels/compute/calls_panel.h"
#include "ui/panels/compute/efficiency_panel.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/explanation_panel.h"
#include "ui/panels/hang/hang_panel.h"
#include "ui/panels/memory/memory_panel.h"
#include "ui/panels/query/query_panel.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/panels/search/search.h"
#include "ui/panels/selection/area_panel.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/panels/steps/path_panel.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/panels/trace/check_panel.h"
#include "ui/panels/whatif/what_if_panel.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/places/dock_area.h"
#include "ui/window/places/panel_places.h"

namespace rankscope::ui {

SelectionFlow::SelectionFlow(TimelineWidget& timeline, const PanelSet& panels, DockArea& docks, Search& search,
                             QObject* parent)
    : QObject(parent), timeline_(timeline), panels_(panels), docks_(docks), search_(search), first_look_(timeline) {
    connectSelection();
    connectFindings();
    connectTables();
}

void SelectionFlow::connectSelection() {
    connect(&timeline_, &TimelineWidget::selectionChanged, this, &SelectionFlow::showSelection);
    connect(&timeline_, &TimelineWidget::areaChanged, this, &SelectionFlow::showArea);
    connect(&timeline_, &TimelineWidget::stepInViewChanged, panels_.path, &PathPanel::setStepInView);
    connect(panels_.details, &DetailsPanel::sliceActivated, this, &SelectionFlow::chooseInFront);
    connect(panels_.steps, &StepsPanel::sliceActivated, this, &SelectionFlow::chooseInFront);
    connect(panels_.path, &PathPanel::sliceActivated, this, &SelectionFlow::choose);
    connect(&search_, &Search::hitChosen, this, &SelectionFlow::showHit);
}

void SelectionFlow::connectFindings() {
    connect(panels_.diagnoses, &DiagnosesPanel::findingSelected, this, &SelectionFlow::showFinding);
    connect(panels_.diagnoses, &DiagnosesPanel::chartAsked, this, &SelectionFlow::showChart);
    connect(panels_.diagnoses, &DiagnosesPanel::sliceActivated, this, &SelectionFlow::choose);
    connect(panels_.diagnoses, &DiagnosesPanel::spanActivated, this, &SelectionFlow::showSpan);
    connect(panels_.diagnoses, &DiagnosesPanel::whatIfAsked, this,
            [this](std::uint32_t run, const std::string& change) {
                panels_.what_if->ask(run, change);
                docks_.showBelow(*panels_.what_if);
            });
    connect(panels_.check, &CheckPanel::findingAsked, panels_.diagnoses, &DiagnosesPanel::choose);
    connect(panels_.check, &CheckPanel::sliceActivated, this, &SelectionFlow::choose);
    connect(panels_.check, &CheckPanel::rankActivated, &timeline_, &TimelineWidget::bringRankIntoSight);
    connect(panels_.check, &CheckPanel::panelAsked, this, &SelectionFlow::showPage);
    connect(panels_.explanation, &ExplanationPanel::evidenceActivated, this, &SelectionFlow::revealEvidence);
    connect(panels_.explanation, &ExplanationPanel::sliceActivated, this, &SelectionFlow::reveal);
    connect(panels_.efficiency, &EfficiencyPanel::findingActivated, panels_.diagnoses, &DiagnosesPanel::choose);
    connect(panels_.communication, &CommunicationPanel::findingActivated, panels_.diagnoses, &DiagnosesPanel::choose);
}

void SelectionFlow::connectTables() {
    connect(panels_.grid, &GridPanel::rankActivated, &timeline_, &TimelineWidget::bringRankIntoSight);
    connect(panels_.grid, &GridPanel::collectivesAsked, this, [this](std::uint32_t run, std::uint32_t group) {
        panels_.collectives->showGroup(run, group);
        docks_.showBelow(*panels_.collectives);
    });
    connect(panels_.collectives, &CollectivesPanel::sliceActivated, this, &SelectionFlow::choose);
    connect(panels_.pipeline, &PipelinePanel::sliceActivated, this, &SelectionFlow::choose);
    connect(panels_.memory, &MemoryPanel::sliceActivated, this, &SelectionFlow::choose);
    connect(panels_.hang, &HangPanel::sliceActivated, this, &SelectionFlow::choose);
    connect(panels_.memory, &MemoryPanel::spanActivated, this, &SelectionFlow::showSpan);
    connect(panels_.charts, &ChartsPanel::stepActivated, &timeline_, &TimelineWidget::showStep);
    connect(panels_.efficiency, &EfficiencyPanel::sliceActivated, this, &SelectionFlow::choose);
    connect(panels_.communication, &CommunicationPanel::sliceActivated, this, &SelectionFlow::choose);
    connect(panels_.communication, &CommunicationPanel::stepActivated, &timeline_, &TimelineWidget::showStep);
    connect(panels_.tables, &TablesPanel::nameActivated, this, &SelectionFlow::searchFor);
    connect(panels_.tables, &TablesPanel::rankActivated, &timeline_, &TimelineWidget::bringRankIntoSight);
    connect(panels_.tables, &TablesPanel::spanActivated, &timeline_, &TimelineWidget::showSpan);
    connect(panels_.tables, &TablesPanel::stepActivated, &timeline_, &TimelineWidget::showStep);
    connect(panels_.query, &QueryPanel::sliceActivated, this, &SelectionFlow::choose);
    connect(panels_.query, &QueryPanel::rankActivated, &timeline_, &TimelineWidget::bringRankIntoSight);
    connect(panels_.query, &QueryPanel::stepActivated, this, &SelectionFlow::showStep);
    connect(panels_.query, &QueryPanel::marksAsked, this, &SelectionFlow::markAnswer);
    connect(panels_.calls, &CallsPanel::nameActivated, this, &SelectionFlow::searchFor);
    connect(panels_.calls, &CallsPanel::sliceActivated, this, &SelectionFlow::choose);
}

void SelectionFlow::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    first_look_.setRuns(runs);
    if (const auto area = timeline_.area()) {  // over the same slices, even if their clocks differ
        panels_.area->showArea(area);
        panels_.calls->setArea(area);
    }
    panels_.query->setArea(timeline_.area());
    panels_.path->setStepInView(timeline_.stepInView());
    panels_.grid->setSelected(rankOf(timeline_.selection()));
    const Selection& selected = timeline_.selection();
    if (selected.index() != 0 && !std::holds_alternative<SliceSelection>(selected)) {
        panels_.details->showWords(timeline_.selectionWords());
    }
}

// ---- from the timeline to the panels

void SelectionFlow::follow(const Selection& selection) const {
    panels_.grid->setSelected(rankOf(selection));
    panels_.pipeline->follow(selection);
}

template <class Show>
void SelectionFlow::explain(const Show& show) {
    panels_.details->showWords(timeline_.selectionWords());
    show();
    docks_.bringToFront(*panels_.explanation);
}

void SelectionFlow::showSelection(const Selection& selection) {
    follow(selection);
    if (const auto* slice = std::get_if<SliceSelection>(&selection)) {
        panels_.details->showSlice(*slice);
        panels_.calls->setSlice(*slice);
        if (timeline_.returning()) {
            return;  // other open panels stay
        }
        docks_.bringToFront(*panels_.details);
        leaveExplanation();
    } else if (const auto* gap = std::get_if<GapSelection>(&selection)) {
        explain([&] {
            panels_.diagnoses->select(std::nullopt);
            panels_.explanation->showGap(*gap);
        });
    } else if (const auto* band = std::get_if<BandSelection>(&selection)) {
        explain([&] {
            panels_.diagnoses->select(std::nullopt);
            panels_.explanation->showBand(*band);
        });
    } else if (const auto* late = std::get_if<StragglerSelection>(&selection)) {
        explain([&] {
            look_ = FindingLook::AtPlace;
            panels_.diagnoses->select(FindingSelection{late->run, late->finding});
            panels_.explanation->showFinding({late->run, late->finding});
        });
    } else {
        panels_.details->clear();
        if (!panels_.diagnoses->selected() && !timeline_.returning()) {
            panels_.explanation->clear();
        }
    }
}

// The panel comes to the front with an area, and goes back with it: then the previous panel is in front again.
void SelectionFlow::showArea(const std::optional<AreaSelection>& area) {
    panels_.area->showArea(area);
    panels_.calls->setArea(area);
    panels_.query->setArea(area);
    PanelPlaces& places = docks_.places();
    QWidget* front = places.front(PanelPlace::Below);
    if (places.placeOf(*panels_.area) != PanelPlace::Below) {
        if (area) {
            docks_.bringToFront(*panels_.area);
        }
    } else if (area && front != panels_.area) {
        before_area_ = front;
        docks_.showBelow(*panels_.area);
    } else if (!area && front == panels_.area && before_area_ != nullptr) {
        // Details first: it must not stay in front in the place that shows the area.
        for (QWidget* panel : {static_cast<QWidget*>(panels_.details), std::exchange(before_area_, nullptr)}) {
            if (places.placeOf(*panel) == PanelPlace::Below) {
                places.toFront(*panel);
            }
        }
    }
}

void SelectionFlow::showCallsOfSelection() {
    if (const auto* slice = std::get_if<SliceSelection>(&timeline_.selection())) {
        panels_.calls->showSlice(*slice);
    }
    docks_.showBelow(*panels_.calls);
}

// ---- from the panels to the timeline

void SelectionFlow::pointAt(const SliceSelection& slice) {
    timeline_.reveal(slice);
    panels_.details->showSlice(slice);
    panels_.calls->setSlice(slice);  // so that its step can be chosen, wherever the user selected the slice
    follow(slice);
}

void SelectionFlow::leaveExplanation() const {
    if (!panels_.diagnoses->selected()) {
        panels_.explanation->clear();  // it is of a gap or a stretch that was selected before
    }
}

void SelectionFlow::choose(const SliceSelection& slice) {
    leaveExplanation();
    pointAt(slice);
}

void SelectionFlow::chooseInFront(const SliceSelection& slice) {
    leaveExplanation();
    reveal(slice);
}

void SelectionFlow::reveal(const SliceSelection& slice) {
    const PanelPlaces& places = docks_.places();
    if (places.placeOf(*panels_.details) != places.placeOf(*panels_.explanation)) {
        docks_.places().toFront(*panels_.details);  // otherwise they would cover the panel that the user may have come
                                                    // from
    }
    pointAt(slice);
}

void SelectionFlow::revealEvidence(std::uint32_t run, const Evidence& evidence) {
    const SliceSelection slice{run, evidence.rank, evidence.slice};
    if (!docks_.bottomPanelVisible() || docks_.places().placeOf(*panels_.details) != PanelPlace::Below) {
        reveal(slice);
    } else {
        pointAt(slice);  // panels below do not change
    }
    if (const auto blocked = blockedBy(runs_[run]->facts, evidence)) {  // a call of microseconds means nothing by
                                                                        // itself
        timeline_.reveal(timeline_.selection(), axisSpan(*runs_[run], evidence.rank, *blocked));
    }
}

void SelectionFlow::showFinding(const FindingSelection& finding) {
    look_ = wanted_;
    panels_.explanation->showFinding(finding);
    if (look_ == FindingLook::OnStep) {
        showOnStep(finding);
        docks_.bringToFront(*panels_.explanation);
        return;
    }
    markPlaces(finding);
    const Finding& found = runs_[finding.run]->diagnosis.findings[finding.finding];
    if (!found.evidence.empty()) {
        revealEvidence(finding.run, found.evidence.front());
    }
    docks_.bringToFront(*panels_.explanation);
}

void SelectionFlow::showOnStep(const FindingSelection& finding) {
    FindingView view = findingOnStep(runs_, finding);
    timeline_.select({});  // the selection belongs to the previous finding
    panels_.details->clear();
    follow({});
    if (!view.step.empty()) {
        timeline_.showWhole(finding.run, view.rank, view.step, true);
        const RunFacts& facts = runs_[finding.run]->facts;
        const auto step = stepToShow(facts, runs_[finding.run]->diagnosis.findings[finding.finding]);
        panels_.pipeline->showRank(finding.run, view.rank, step ? facts.steps[*step].of(view.rank) : std::nullopt);
    }
    timeline_.setFindingMarks(std::move(view.marks));
}

void SelectionFlow::markPlaces(const FindingSelection& finding) {
    const AnalysedRun& run = *runs_[finding.run];
    const std::vector<Evidence>& evidence = run.diagnosis.findings[finding.finding].evidence;
    const auto holds = [&](const RunStep& step) {
        const RankStep* const own = run.facts.stepOf(step, evidence.front().rank);
        return own != nullptr && own->index == evidence.front().step;
    };
    const auto step = evidence.empty() ? run.facts.steps.end() : std::ranges::find_if(run.facts.steps, holds);
    timeline_.setFindingMarks(step == run.facts.steps.end() ? FindingMarks()
                                                            : marksOf(runs_[finding.run], finding.finding,
                                                                      RunStepPosition(step - run.facts.steps.begin())));
}

void SelectionFlow::stepFinding(int direction) {
    const auto selected = panels_.diagnoses->selected();
    const auto stop =
        nextStop(runs_, selected ? std::optional(FindingStop{*selected, look_}) : std::nullopt, direction);
    if (!stop) {
        return;
    }
    const PanelPlaces& places = docks_.places();
    if (places.placeOf(*panels_.diagnoses) != places.placeOf(*panels_.explanation)) {
        docks_.places().toFront(*panels_.diagnoses);  // the list shows the current finding, next to its explanation
    }
    wanted_ = stop->look;
    panels_.diagnoses->choose(stop->finding);
    wanted_ = FindingLook::AtPlace;  // an explicit choice also moves the view
}

void SelectionFlow::showStep(std::uint32_t run, RankPosition rank, RankStepPosition step) {
    timeline_.showStep(run, rank, step);
    timeline_.markRank(run, rank);
    panels_.grid->setSelected(std::pair(run, rank));
    panels_.pipeline->showRank(run, rank, step);
}

void SelectionFlow::showPlace(std::uint32_t run, RankPosition rank, const TimeSpan& span, SliceRef slice) {
    if (slice.valid()) {
        pointAt({run, rank, slice});
    } else {
        timeline_.select({});
    }
    showSpan(run, rank, span);
}

void SelectionFlow::showSpan(std::uint32_t run, RankPosition rank, const TimeSpan& span) {
    timeline_.showSpan(run, rank, axisSpan(*runs_[run], rank, span));
}

void SelectionFlow::markAnswer(const std::shared_ptr<const AskedMarks>& marks) {
    timeline_.setAskedMarks(marks);
    if (marks) {
        timeline_.showSpan(marks->run, marks->rank, marks->around);
    }
}

void SelectionFlow::showHit(const SliceSelection& hit) {
    choose(hit);
    // While the list is in front, the user is stepping through it.
    const PanelPlaces& places = docks_.places();
    if (!places.isInFront(*panels_.hits) || places.placeOf(*panels_.hits) != places.placeOf(*panels_.details)) {
        docks_.bringToFront(*panels_.details);
    }
}

// ---- from panel to panel

void SelectionFlow::showChart(std::uint32_t run, StepChart chart) {
    if (chart == StepChart::Path) {
        panels_.path->showSteadySteps(run);
        return docks_.showBelow(*panels_.path);
    }
    docks_.showBelow(*panels_.charts);
    panels_.charts->showRun(run);
    panels_.charts->showChart(chart == StepChart::Lengths ? ChartsPanel::kDistribution : ChartsPanel::kLateness);
}

void SelectionFlow::showPage(const QString& panel, const QString& page) {
    if (page == QStringLiteral("lateness")) {
        panels_.charts->showChart(ChartsPanel::kLateness);
    } else if (page == QStringLiteral("overlap")) {
        panels_.communication->showPage(CommunicationPanel::kOverlap);
    }
    if (QWidget* widget = docks_.places().find(panel)) {
        docks_.showBelow(*widget);
    }
}

void SelectionFlow::searchFor(const QString& name) {
    search_.searchFor(name);
    docks_.showBelow(*panels_.hits);
}

}  // namespace rankscope::ui
