// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_model.h"

#include <algorithm>

#include "ui/timeline/selection/step_path.h"

namespace rankscope::ui {
namespace {

void addLateness(const AnalysedRun& run, std::uint32_t run_index, RunView& view) {
    for (std::uint32_t f = 0; f < run.diagnosis.findings.size(); ++f) {
        const auto& late = run.diagnosis.findings[f].late;
        for (std::uint32_t w = 0; w < late.size(); ++w) {
            if (late[w].rank < view.ranks.size()) {
                RankView& rank = view.ranks[late[w].rank];
                rank.late.push_back({rank.toAxis(late[w].span), {run_index, late[w].rank, f, w}});
            }
        }
    }
    for (RankView& rank : view.ranks) {
        std::ranges::sort(rank.late, {}, &DrawnStraggler::span);
    }
}

TimeNs baseOf(const AnalysedRun& run) {
    if (!run.clock.ranks.empty()) {
        return run.clock.base_ns;
    }
    return alignClocks(*run.run).base_ns;  // still loading: the first instant known so far
}

RunView viewOf(const std::shared_ptr<const AnalysedRun>& run, std::uint32_t run_index) {
    RunView view{run, {}, nullptr, nullptr, nullptr};
    const TimeNs base = baseOf(*run);
    view.ranks.reserve(run->run->ranks.size());
    for (RankPosition r{0}; r < run->run->ranks.size(); ++r) {
        RankView rank;
        rank.trace = run->run->ranks[r];
        rank.base_ns = base;
        if (r < run->clock.ranks.size()) {
            rank.clock = run->clock.ranks[r];
        }
        if (r < run->facts.ranks.size()) {
            rank.facts = &run->facts.ranks[r];
        }
        view.ranks.push_back(std::move(rank));
    }
    addLateness(*run, run_index, view);
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

const RankView* TimelineModel::rank(std::uint32_t run, RankPosition rank) const {
    return run < runs_.size() && rank < runs_[run].ranks.size() ? &runs_[run].ranks[rank] : nullptr;
}

std::vector<RankSource> TimelineModel::sources() const {
    std::vector<RankSource> out;
    for (const RunView& run : runs_) {
        for (RankPosition r{0}; r < run.ranks.size(); ++r) {
            out.push_back({run.ranks[r].trace, run.run, run.ranks[r].facts, r, false, false});
        }
    }
    return out;
}

bool TimelineModel::takeIndices(const IndexStore& store) {
    bool new_rows = false;  // other ranks, hosts or counters to show
    bool new_rank = false;
    bool all_ranks = true;
    for (RunView& run : runs_) {
        if (const auto index = store.find(run.run.get())) {
            new_rows = new_rows || run.index != index;
            run.index = index;
            run.collectives = std::shared_ptr<const CollectiveIndex>(index, &index->collectives);
        }
        const auto of_run = store.findCounters(run.run.get());
        new_rows = new_rows || run.counters != of_run;
        run.counters = of_run;
        for (RankView& rank : run.ranks) {
            const bool known = rank.index != nullptr;
            rank.index = store.find(rank.trace.get());
            rank.fact_index = rank.facts != nullptr ? store.find(rank.facts) : nullptr;
            new_rank = new_rank || (!known && rank.index != nullptr);
            const auto counters = rank.facts != nullptr ? store.findCounters(rank.facts) : nullptr;
            new_rows = new_rows || rank.counters != counters;
            rank.counters = counters;
            all_ranks = all_ranks && rank.index != nullptr;
        }
    }
    return new_rows || (new_rank && all_ranks);
}

void TimelineModel::adoptLayout(const TimelineModel& before) {
    for (RunView& run : runs_) {
        const auto same = [&](const RunView& old) { return old.run->run == run.run->run; };
        const auto old = std::ranges::find_if(before.runs_, same);
        if (run.index == nullptr && old != before.runs_.end()) {
            run.index = old->index;
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

TimeSpan TimelineModel::band(const BandSelection& s) const {
    const RankView* view = rank(s.run, s.rank);
    if (view == nullptr || view->facts == nullptr) {
        return {};
    }
    const IntervalSet& set = s.kind == BandKind::Overlap ? view->facts->overlap : view->facts->exposed_communication;
    return s.index < set.spans().size() ? set.spans()[s.index] : TimeSpan();
}

const LateWindow* TimelineModel::late(const StragglerSelection& s) const {
    if (s.run >= runs_.size() || s.finding >= runs_[s.run].run->diagnosis.findings.size()) {
        return nullptr;
    }
    const auto& late = runs_[s.run].run->diagnosis.findings[s.finding].late;
    return s.window < late.size() && late[s.window].rank == s.rank ? &late[s.window] : nullptr;
}

void TimelineModel::setPath(std::shared_ptr<const ShownPath> path) {
    const bool open = path != nullptr && path->of.at.run < runs_.size() && runs_[path->of.at.run].run == path->of.of;
    path_ = open ? std::move(path) : nullptr;
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
    if (const auto* b = std::get_if<BandSelection>(&selection)) {
        return !band(*b).empty();
    }
    if (const auto* l = std::get_if<StragglerSelection>(&selection)) {
        return rank(l->run, l->rank) != nullptr && late(*l) != nullptr;
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
    if (const auto* b = std::get_if<BandSelection>(&selection)) {
        return rank(b->run, b->rank)->toAxis(band(*b));
    }
    if (const auto* l = std::get_if<StragglerSelection>(&selection)) {
        return rank(l->run, l->rank)->toAxis(late(*l)->span);
    }
    return {};
}

std::optional<std::pair<std::uint32_t, RankPosition>> TimelineModel::placeOf(std::uint32_t run, RankPosition rank,
                                                                             const TimelineModel& before) const {
    const RankView* old = before.rank(run, rank);
    for (std::uint32_t now = 0; old != nullptr && now < runs_.size(); ++now) {
        for (RankPosition r{0}; r < runs_[now].ranks.size(); ++r) {
            if (runs_[now].ranks[r].trace == old->trace) {
                return std::pair(now, r);
            }
        }
    }
    return std::nullopt;
}

Selection TimelineModel::carriedOver(const Selection& selection, const TimelineModel& before) const {
    const auto moved = [&](auto s) -> Selection {
        const auto place = placeOf(s.run, s.rank, before);
        if (!place) {
            return {};
        }
        std::tie(s.run, s.rank) = *place;
        return holds(s) ? Selection(s) : Selection();
    };
    return std::visit(
        [&](const auto& s) -> Selection {
            if constexpr (std::is_same_v<std::decay_t<decltype(s)>, std::monostate>) {
                return {};
            } else {
                return moved(s);
            }
        },
        selection);
}

}  // namespace rankscope::ui
