// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/first_look.h"

#include <algorithm>
#include <utility>

#include "core/analysis/steps/typical_run_step.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

TimeSpan stepOnAxis(const AnalysedRun& run, RunStepPosition step) {
    const TimeSpan span = spanOnAllRanks(run.facts, run.clock, run.facts.steps[step]);
    return span.empty() ? span : TimeSpan{span.start_ns - run.clock.base_ns, span.end_ns - run.clock.base_ns};
}

/// Whether a rank of `before` is still open: while a run is being read, each new rank replaces the Run.
bool staysOpen(const std::vector<std::shared_ptr<const Run>>& before, const OpenRuns& now) {
    return std::ranges::any_of(before, [&](const std::shared_ptr<const Run>& old) {
        return std::ranges::any_of(now, [&](const std::shared_ptr<const AnalysedRun>& run) {
            const auto& ranks = run->run->ranks;
            return !old->ranks.empty() && std::ranges::find(ranks, old->ranks.front()) != ranks.end();
        });
    });
}

}  // namespace

FindingView findingOnStep(const OpenRuns& runs, const FindingSelection& of) {
    if (of.run >= runs.size() || of.finding >= runs[of.run]->diagnosis.findings.size()) {
        return {};
    }
    const AnalysedRun& run = *runs[of.run];
    const auto step = stepToShow(run.facts, run.diagnosis.findings[of.finding]);
    if (!step) {
        return {};
    }
    FindingView view{marksOf(runs[of.run], of.finding, *step), stepOnAxis(run, *step), {}};
    view.rank = firstRankOf(view.marks);
    return view;
}

FindingView viewOfTypicalStep(const AnalysedRun& run) {
    const auto step = typicalRunStep(run.facts);
    return step ? FindingView{{}, stepOnAxis(run, *step), {}} : FindingView();
}

bool FirstLook::isUntouched() const {
    const Viewport& view = timeline_.viewport();
    return view.window() == view.limits() && timeline_.selection().index() == 0 && !timeline_.area();
}

void FirstLook::setRuns(const OpenRuns& runs) {
    done_ = done_ && staysOpen(open_, runs);
    open_.clear();
    std::ranges::transform(runs, std::back_inserter(open_), [](const auto& run) { return run->run; });
    if (runs.size() > 1 && !shown_.empty() && timeline_.viewport().window() == shown_) {
        timeline_.fitAll();  // the step of the first run means nothing for the others
        shown_ = {};
    }
    const std::shared_ptr<const AnalysedRun> first = runs.empty() ? nullptr : runs.front();
    const bool same = std::exchange(first_, first) == first;
    if (first == nullptr || first->facts.ranks.empty() || (done_ && same)) {
        return;
    }
    FindingView view = first->diagnosis.findings.empty() ? viewOfTypicalStep(*first) : findingOnStep(runs, {0, 0});
    if (!std::exchange(done_, true) && runs.size() == 1 && isUntouched() && !view.step.empty()) {
        timeline_.showWhole(0, view.rank, view.step, false);
        shown_ = timeline_.viewport().window();
    }
    timeline_.setFindingMarks(std::move(view.marks));
}

}  // namespace rankscope::ui
