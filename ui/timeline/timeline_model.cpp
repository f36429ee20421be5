// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_model.h"

#include <algorithm>

namespace rankscope::ui {
namespace {

void addMarks(RankView& view, std::uint32_t run, std::uint32_t rank) {
    for (std::uint32_t s = 0; s < view.facts->steps.size(); ++s) {
        const RankStep& step = view.facts->steps[s];
        view.steps.push_back({view.toAxis(step.span), step.index, s, step.complete});
        for (std::uint32_t g = 0; g < step.gaps.size(); ++g) {
            const Gap& gap = step.gaps[g];
            if (gap.span.length() >= kShownGapNs) {
                view.gaps.push_back({view.toAxis(gap.span), {run, rank, s, g}, gap.device, 0});
            }
        }
    }
    std::ranges::sort(view.gaps, {}, &GapMark::span);
    DurationNs before = 0;
    for (GapMark& mark : view.gaps) {
        mark.before_ns = before;
        before += mark.span.length();
    }
    std::ranges::sort(view.steps, {}, &StepMark::span);
}

TimeNs baseOf(const AnalysedRun& run) {
    if (!run.clock.ranks.empty()) {
        return run.clock.base_ns;
    }
    return alignClocks(*run.run).base_ns;  // still loading: the first instant that is known so far
}

RunView viewOf(const std::shared_ptr<const AnalysedRun>& run, std::uint32_t run_index) {
    RunView view{run, {}};
    const TimeNs base = baseOf(*run);
    for (std::uint32_t r = 0; r < run->run->ranks.size(); ++r) {
        RankView rank;
        rank.trace = run->run->ranks[r];
        rank.base_ns = base;
        if (r < run->clock.ranks.size()) {
            rank.clock = run->clock.ranks[r];
        }
        if (r < run->facts.ranks.size()) {
            rank.facts = &run->facts.ranks[r];
            addMarks(rank, run_index, r);
        }
        view.ranks.push_back(std::move(rank));
    }
    return view;
}

}  // namespace

WorkClass RankView::workClass(SliceRef slice) const {
    if (facts == nullptr || slice.track.value >= facts->work_classes.size()) {
        return WorkClass::None;
    }
    const auto& classes = facts->work_classes[slice.track.value];
    return slice.slice < classes.size() ? classes[slice.slice] : WorkClass::None;
}

TimelineModel::TimelineModel(const std::vector<std::shared_ptr<const AnalysedRun>>& runs) {
    for (const auto& run : runs) {
        if (run != nullptr && run->run != nullptr) {
            runs_.push_back(viewOf(run, static_cast<std::uint32_t>(runs_.size())));
        }
    }
    TimeSpan extent;
    for (const RunView& run : runs_) {
        for (const RankView& rank : run.ranks) {
            const TimeSpan window = rank.toAxis(rank.trace->window);
            extent.start_ns = std::min(extent.start_ns, window.start_ns);
            extent.end_ns = std::max(extent.end_ns, window.end_ns);
        }
    }
    if (!extent.empty()) {
        extent_ = extent;
    }
}

std::size_t TimelineModel::rankCount() const {
    std::size_t count = 0;
    for (const RunView& run : runs_) {
        count += run.ranks.size();
    }
    return count;
}

const RankView* TimelineModel::rank(std::uint32_t run, std::uint32_t rank) const {
    return run < runs_.size() && rank < runs_[run].ranks.size() ? &runs_[run].ranks[rank] : nullptr;
}

std::vector<std::shared_ptr<const RankTrace>> TimelineModel::traces() const {
    std::vector<std::shared_ptr<const RankTrace>> out;
    for (const RunView& run : runs_) {
        for (const RankView& rank : run.ranks) {
            out.push_back(rank.trace);
        }
    }
    return out;
}

void TimelineModel::takeIndices(const IndexStore& store) {
    for (RunView& run : runs_) {
        for (RankView& rank : run.ranks) {
            rank.index = store.find(rank.trace.get());
        }
    }
}

const Gap* TimelineModel::gap(const GapSelection& s) const {
    const RankView* view = rank(s.run, s.rank);
    if (view == nullptr || view->facts == nullptr || s.step >= view->facts->steps.size()) {
        return nullptr;
    }
    const auto& gaps = view->facts->steps[s.step].gaps;
    return s.gap < gaps.size() ? &gaps[s.gap] : nullptr;
}

bool TimelineModel::holds(const Selection& selection) const {
    if (const auto* s = std::get_if<SliceSelection>(&selection)) {
        const RankView* view = rank(s->run, s->rank);
        return view != nullptr && s->slice.track.value < view->trace->tracks.size() &&
               s->slice.slice < view->trace->track(s->slice).slices.size();
    }
    if (const auto* g = std::get_if<GapSelection>(&selection)) {
        return gap(*g) != nullptr;
    }
    return true;
}

TimeSpan TimelineModel::spanOf(const Selection& selection) const {
    if (!holds(selection)) {
        return {};
    }
    if (const auto* s = std::get_if<SliceSelection>(&selection)) {
        const RankView& view = *rank(s->run, s->rank);
        return view.toAxis(view.trace->span(s->slice));
    }
    if (const auto* g = std::get_if<GapSelection>(&selection)) {
        return rank(g->run, g->rank)->toAxis(gap(*g)->span);
    }
    return {};
}

Selection TimelineModel::carriedOver(const Selection& selection, const TimelineModel& before) const {
    const auto moved = [&](auto s) -> Selection {
        const RankView* old = before.rank(s.run, s.rank);
        for (std::uint32_t run = 0; old != nullptr && run < runs_.size(); ++run) {
            for (std::uint32_t r = 0; r < runs_[run].ranks.size(); ++r) {
                if (runs_[run].ranks[r].trace == old->trace) {
                    s.run = run;
                    s.rank = r;
                    return holds(s) ? Selection(s) : Selection();
                }
            }
        }
        return {};
    };
    if (const auto* s = std::get_if<SliceSelection>(&selection)) {
        return moved(*s);
    }
    if (const auto* g = std::get_if<GapSelection>(&selection)) {
        return moved(*g);
    }
    return {};
}

}  // namespace rankscope::ui
