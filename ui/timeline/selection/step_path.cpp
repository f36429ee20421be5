// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/selection/step_path.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "core/analysis/path_slices.h"
#include "ui/timeline/selection/slice_step.h"

namespace rankscope::ui {
namespace {

/// A stretch without a slice of its own is drawn where the same rank works next; if it does not, where it worked last.
void lendSlices(std::vector<DrawnStretch>& drawn) {
    const auto lend = [](const DrawnStretch& from, DrawnStretch& to) {
        if (!to.slice.valid() && from.slice.valid() && from.rank == to.rank) {
            to.slice = from.slice;
            to.depth = from.depth;
        }
    };
    for (std::size_t i = drawn.size(); i-- > 1;) {
        lend(drawn[i], drawn[i - 1]);
    }
    for (std::size_t i = 1; i < drawn.size(); ++i) {
        lend(drawn[i - 1], drawn[i]);
    }
}

/// Names the slices of a path, and determines where it is drawn.
void place(ShownPath& shown) {
    const AnalysedRun& run = *shown.of.of;
    namePathSlices(*run.run, run.facts, shown.path);
    shown.drawn.reserve(shown.path.stretches.size());
    for (const PathStretch& stretch : shown.path.stretches) {
        DrawnStretch drawn;
        const TimeSpan on_run = run.clock.ranks[stretch.rank].toRun(FileSpan(stretch.span));
        drawn.span = {on_run.start_ns - run.clock.base_ns, on_run.end_ns - run.clock.base_ns};
        if (!shown.drawn.empty()) {
            // At a turn two clocks meet, which may differ by some microseconds.
            const TimeSpan before = shown.drawn.back().span;
            drawn.span = {std::max(drawn.span.start_ns, before.start_ns), std::max(drawn.span.end_ns, before.end_ns)};
        }
        drawn.rank = stretch.worker;
        drawn.slice = stretch.slice;
        drawn.works = stretch.kind != PathKind::Idle && stretch.kind != PathKind::Unknown;
        if (drawn.slice.valid()) {
            drawn.depth = run.run->ranks[drawn.rank]->track(drawn.slice).slices.depth[drawn.slice.slice];
        }
        shown.drawn.push_back(drawn);
    }
    lendSlices(shown.drawn);
}

std::optional<StepSelection> stepOfSelection(const TimelineModel& model, const Selection& selection) {
    const auto rank = rankOf(selection);
    if (!rank || !model.holds(selection)) {
        return {};
    }
    const RankView& view = *model.rank(rank->first, rank->second);
    std::optional<RunStepPosition> step;
    if (const auto* slice = std::get_if<SliceSelection>(&selection)) {
        const auto own = view.facts != nullptr ? stepOfSlice(*view.trace, *view.facts, slice->slice) : std::nullopt;
        step = own ? runStepOf(model.runs()[rank->first].run->facts, rank->second, *own) : std::nullopt;
    } else {
        const TimeSpan span = model.spanOf(selection);
        step = runStepAt(model, rank->first, rank->second, span.start_ns + span.length() / 2);
    }
    return step ? std::optional(StepSelection{rank->first, *step}) : std::nullopt;
}

}  // namespace

std::shared_ptr<const ShownPath> makeShownPath(const PathRequest& request) {
    const AnalysedRun& run = *request.of;
    auto shown = std::make_shared<ShownPath>();
    shown->of = request;
    if (const auto end = lastToEnd(run.facts, run.clock, request.at.step)) {
        shown->end = *end;
        shown->path = pathOfStep(run.facts, request.at.step, *end);
        place(*shown);
    }
    return shown;
}

std::shared_ptr<const ShownPath> makeSteadyPath(const std::shared_ptr<const AnalysedRun>& run, std::uint32_t index) {
    auto shown = std::make_shared<ShownPath>();
    shown->of = {run, {index, {}}};
    shown->steady = true;
    for (std::size_t s = run->facts.steps.size(); s-- > 0;) {
        const RunStep& step = run->facts.steps[s];
        const auto end = lastToEnd(run->facts, run->clock, RunStepPosition(s));
        if (step.complete && !step.outlier && end) {
            shown->of.at.step = RunStepPosition(s);
            shown->end = *end;
            shown->path = pathOfSteadySteps(run->facts, *end);
            place(*shown);
            break;
        }
    }
    return shown;
}

std::optional<RunStepPosition> runStepAt(const TimelineModel& model, std::uint32_t run, RankPosition rank,
                                         TimeNs axis_ns) {
    const RankView* const view = model.rank(run, rank);
    if (view == nullptr) {
        return {};
    }
    const TimeNs at_ns = view->toFile(axis_ns);
    const auto steps = view->steps();
    const auto step = std::ranges::partition_point(steps, [&](const DrawnStep& s) { return s.span.end_ns <= at_ns; });
    if (step == steps.end() || step->span.start_ns > at_ns) {
        return {};
    }
    return runStepOf(model.runs()[run].run->facts, rank, step->step);
}

std::optional<StepSelection> stepInView(const TimelineModel& model, const RowLayout& layout, const Selection& selection,
                                        const TimeSpan& window, int row_y) {
    if (const auto step = stepOfSelection(model, selection)) {
        return step;
    }
    const LayoutRow* const row = layout.at(row_y);
    if (row == nullptr || row->run >= model.runs().size()) {
        return {};
    }
    const TimeNs middle_ns = window.start_ns + window.length() / 2;
    for (RankPosition r{0}; r < model.runs()[row->run].ranks.size(); ++r) {
        if (const auto step = runStepAt(model, row->run, r, middle_ns)) {
            return StepSelection{row->run, *step};
        }
    }
    return {};
}

void StepPath::want(const std::optional<PathRequest>& request) {
    if (wanted_ == request) {
        return;
    }
    wanted_ = request;
    if (!request) {
        job_.forget();
        shown_ = nullptr;
        Q_EMIT changed();
        return;
    }
    job_.start([this, wanted = *request](const std::stop_token& stop) -> LatestJob::Show {
        if (stop.stop_requested()) {
            return {};
        }
        return [this, path = makeShownPath(wanted)] {
            shown_ = path;
            Q_EMIT changed();
        };
    });
}

}  // namespace rankscope::ui
