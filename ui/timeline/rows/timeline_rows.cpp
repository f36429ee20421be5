// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/timeline_rows.h"

#include <algorithm>
#include <utility>

namespace rankscope::ui {
namespace {

constexpr int kScrollMargin = 40;    // logical pixels between the revealed item and the edge of the view
constexpr double kMostSticky = 0.5;  // share of the height: pinned rows beyond that scroll with the others

}  // namespace

void TimelineRows::layOut(const TimelineModel& model) {
    layout_ = RowLayout(model, choices_, sizes_, focus_);
    ++revision_;
    setViewHeight(view_height_);
}

bool TimelineRows::setSizes(const RowSizes& sizes, const TimelineModel& model) {
    if (sizes == sizes_) {
        return false;
    }
    sizes_ = sizes;
    layOut(model);
    return true;
}

void TimelineRows::setChoices(RowChoices choices, const TimelineModel& model) {
    choices_ = std::move(choices);
    layOut(model);
}

void TimelineRows::setOneRank(bool one_rank, const TimelineModel& model) {
    if (std::exchange(focus_.one_rank, one_rank) != one_rank) {
        layOut(model);
    }
}

bool TimelineRows::setFocus(const TimelineModel& model, std::uint32_t run, RankPosition rank) {
    const RankView* const view = model.rank(run, rank);
    if (view == nullptr || std::exchange(focus_.rank, view->trace.get()) == view->trace.get() || !focus_.one_rank) {
        return false;
    }
    const LayoutRow* row = layout_.findRank(run, rank);
    const std::optional<int> at = row != nullptr ? std::optional(place().toView(row->y)) : std::nullopt;
    layOut(model);
    row = layout_.findRank(run, rank);
    if (row != nullptr && at) {
        setScroll(row->y - *at);
    }
    return true;
}

int TimelineRows::maxScroll() const {
    return std::max(0, layout_.height() - view_height_);
}

bool TimelineRows::setScroll(int y) {
    const int clamped = std::clamp(y, 0, maxScroll());
    return std::exchange(scroll_, clamped) != clamped;
}

void TimelineRows::setViewHeight(int height) {
    view_height_ = height;
    sticky_ = layout_.stickyHeight(static_cast<int>(view_height_ * kMostSticky));
    setScroll(scroll_);
}

void TimelineRows::setViewHeight(int height, const TimelineModel& model) {
    const bool other = std::exchange(focus_.room, height) != height;
    setViewHeight(height);
    if (other && focus_.one_rank) {
        layOut(model);
    }
}

// Scrolls so that [y, y + height) of the layout, which belongs to `row`, is visible below the rows that stay at the
// top.
void TimelineRows::scrollTo(const LayoutRow& row, int y, int height) {
    if (row.y < sticky_) {
        return;
    }
    if (y < scroll_ + sticky_ + kScrollMargin || y + height > scroll_ + view_height_ - kScrollMargin) {
        setScroll(y + height / 2 - (view_height_ + sticky_) / 2);
    }
}

void TimelineRows::showRank(const TimelineModel& model, std::uint32_t run, RankPosition rank) {
    setFocus(model, run, rank);
    unfoldTo(model, run, rank, choices_);
    layOut(model);
    if (const LayoutRow* row = layout_.findRank(run, rank)) {
        scrollTo(*row, row->y, row->height + 2 * sizes_.row);
    }
}

void TimelineRows::showRankNumber(const TimelineModel& model, std::uint32_t run, RankNumber number) {
    std::vector<std::uint32_t> order;  // runs: the wanted one first
    for (std::uint32_t r = 0; r < model.runs().size(); ++r) {
        order.insert(r == run ? order.begin() : order.end(), r);
    }
    for (const std::uint32_t r : order) {
        const auto& ranks = model.runs()[r].ranks;
        const auto at = std::ranges::find_if(ranks, [&](const RankView& v) { return v.trace->rank == number; });
        if (at != ranks.end()) {
            const auto rank = RankPosition(at - ranks.begin());
            showRank(model, r, rank);
            setScroll(layout_.findRank(r, rank)->y - sticky_);
            return;
        }
    }
}

void TimelineRows::showSlice(const TimelineModel& model, const SliceSelection& slice) {
    const Track& track = model.rank(slice.run, slice.rank)->trace->track(slice.slice);
    const std::uint16_t depth = track.slices.depth[slice.slice.slice];
    setFocus(model, slice.run, slice.rank);
    unfoldTo(model, slice.run, slice.rank, slice.slice.track, depth, choices_, focus_);
    layOut(model);
    if (const LayoutRow* row = layout_.find(slice.run, slice.rank, slice.slice.track)) {
        scrollTo(*row, row->y + depth * row->row_height, row->row_height);
    }
}

}  // namespace rankscope::ui
