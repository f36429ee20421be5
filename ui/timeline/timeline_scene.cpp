// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_scene.h"

#include <algorithm>
#include <utility>

#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {
namespace {

constexpr double kReadablePixels = 48;  // a revealed item that is narrower is zoomed to
constexpr double kRevealedShare = 0.3;  // share of the width, in that case

}  // namespace

TimelineScene::TimelineScene(const Theme& theme) : rows_(rowSizes(theme)), pipeline_(theme) {}

void TimelineScene::setTheme(const Theme& theme) {
    ++themes_;
    pipeline_.setTheme(theme);
    rows_.setSizes(rowSizes(theme), model_);
}

void TimelineScene::setModel(TimelineModel model) {
    const bool first = model_.runs().empty();
    model.adoptLayout(model_);
    model_ = std::move(model);
    viewport_.setExtent(model_.extent());
    if (first) {
        viewport_.fitAll();
    }
    rows_.layOut(model_);
    pipeline_.outdate();
}

void TimelineScene::setOverlays(const OverlaySet& overlays) {
    overlays_ = overlays;
    pipeline_.outdate();
}

void TimelineScene::setPath(std::shared_ptr<const ShownPath> path) {
    model_.setPath(std::move(path));
    pipeline_.outdate();
}

std::vector<RankSource> TimelineScene::sources() const {
    std::vector<RankSource> sources = model_.sources();
    for (RankSource& source : sources) {
        source.counters = showsCounters(*source.trace, rows_.choices());
        const auto run = std::ranges::find(model_.runs(), source.run, &RunView::run) - model_.runs().begin();
        source.run_counters = showsCounters(static_cast<std::uint32_t>(run), rows_.choices());
    }
    return sources;
}

void TimelineScene::takeIndices(const IndexStore& store) {
    if (model_.takeIndices(store)) {
        rows_.layOut(model_);
    }
    pipeline_.outdate();
}

void TimelineScene::resize(const QSize& tracks, double pixel_ratio) {
    pipeline_.setPixelRatio(pixel_ratio);
    size_ = tracks.expandedTo({1, 1});
    viewport_.setWidth(size_.width());
    rows_.setViewHeight(size_.height(), model_);
    pipeline_.outdate();
}

Viewport& TimelineScene::changeView() {
    pipeline_.outdate();
    return viewport_;
}

void TimelineScene::setScroll(int y) {
    if (rows_.setScroll(y)) {
        pipeline_.outdate();
    }
}

std::optional<TimeSpan> TimelineScene::stepAt(const QPointF& at) const {
    const LayoutRow* row = rowAt(at.y());
    if (row == nullptr || row->kind != RowKind::Rank) {
        return {};
    }
    const TimeNs t = viewport_.timeAt(at.x());
    const RankView& rank = *model_.rank(row->run, row->rank);
    for (const DrawnStep& step : rank.steps()) {
        if (const TimeSpan span = rank.toAxis(step.span); span.contains(t)) {
            return span;
        }
    }
    return {};
}

void TimelineScene::setChoices(RowChoices choices) {
    rows_.setChoices(std::move(choices), model_);
    pipeline_.outdate();
}

void TimelineScene::setOneRankUnfolded(bool one_rank) {
    rows_.setOneRank(one_rank, model_);
    pipeline_.outdate();
}

bool TimelineScene::setFocus(std::uint32_t run, RankPosition rank) {
    const bool moved = rows_.setFocus(model_, run, rank);
    if (moved) {
        pipeline_.outdate();
    }
    return moved;
}

void TimelineScene::showRankNumber(std::uint32_t run, RankNumber number) {
    rows_.showRankNumber(model_, run, number);
    pipeline_.outdate();
}

void TimelineScene::showRank(std::uint32_t run, RankPosition rank) {
    if (model_.rank(run, rank) != nullptr) {
        rows_.showRank(model_, run, rank);
        pipeline_.outdate();
    }
}

std::optional<TimeSpan> TimelineScene::showStep(std::uint32_t run, RankPosition rank, RankStepPosition step) {
    const RankView* view = model_.rank(run, rank);
    if (view == nullptr || view->facts == nullptr || step >= view->facts->steps.size()) {
        return {};
    }
    rows_.showRank(model_, run, rank);
    pipeline_.outdate();
    return view->toAxis(view->facts->steps[step].span);
}

TimeSpan TimelineScene::reveal(const Selection& selection) {
    return reveal(selection, model_.spanOf(selection));
}

TimeSpan TimelineScene::reveal(const Selection& selection, const TimeSpan& around) {
    if (selection.index() == 0 || !model_.holds(selection)) {
        return viewport_.window();
    }
    if (const auto* slice = std::get_if<SliceSelection>(&selection)) {
        rows_.showSlice(model_, *slice);
    } else if (const auto rank = rankOf(selection)) {
        rows_.showRank(model_, rank->first, rank->second);
    }
    pipeline_.outdate();
    const TimeSpan span = model_.spanOf(selection);
    return readableWindow({std::min(span.start_ns, around.start_ns), std::max(span.end_ns, around.end_ns)});
}

TimeSpan TimelineScene::readableWindow(const TimeSpan& span) const {
    const TimeSpan window = viewport_.window();
    const double pixels = viewport_.xAt(span.end_ns) - viewport_.xAt(span.start_ns);
    if (pixels < kReadablePixels || pixels > viewport_.width()) {
        return viewport_.windowFitting(span, kRevealedShare);
    }
    if (span.start_ns >= window.start_ns && span.end_ns <= window.end_ns) {
        return window;
    }
    const TimeNs middle = span.start_ns + span.length() / 2;
    return {middle - window.length() / 2, middle - window.length() / 2 + window.length()};
}

}  // namespace rankscope::ui
