// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_scene.h"

#include <algorithm>
#include <cmath>

#include "ui/timeline/metrics.h"

namespace rankscope::ui {
namespace {

constexpr double kReadablePixels = 48;  // a revealed thing that is narrower is zoomed to
constexpr double kRevealedShare = 0.3;  // of the width, then
constexpr int kScrollMargin = 40;
constexpr double kMostSticky = 0.5;  // of the height: pinned rows beyond that scroll with the others

}  // namespace

TimelineScene::TimelineScene(const Theme& theme) : theme_(theme), sizes_(rowSizes(theme)) {}

void TimelineScene::setTheme(const Theme& theme) {
    theme_ = theme;
    ++rows_revision_;
    builder_.reset();
    painter_.reset();
    outdate();
    if (const RowSizes sizes = rowSizes(theme); sizes != sizes_) {
        sizes_ = sizes;
        layOut();
    }
}

void TimelineScene::setModel(TimelineModel model) {
    const bool first = model_.runs().empty();
    model.standAs(model_);
    model_ = std::move(model);
    viewport_.setExtent(model_.extent());
    if (first) {
        viewport_.fitAll();
    }
    layOut();
}

void TimelineScene::setOverlays(const OverlaySet& overlays) {
    overlays_ = overlays;
    outdate();
}

void TimelineScene::takeIndices(const IndexStore& store) {
    if (model_.takeIndices(store)) {
        layOut();
    }
    outdate();
}

void TimelineScene::resize(const QSize& tracks, double pixel_ratio) {
    if (pixel_ratio != pixel_ratio_) {
        builder_.reset();
        painter_.reset();
    }
    size_ = tracks.expandedTo({1, 1});
    pixel_ratio_ = pixel_ratio;
    viewport_.setWidth(size_.width());
    sticky_ = layout_.stickyHeight(static_cast<int>(size_.height() * kMostSticky));
    setScroll(scroll_);
    outdate();
}

Viewport& TimelineScene::changeView() {
    outdate();
    return viewport_;
}

void TimelineScene::outdate() {
    if (frame_) {
        spare_ = std::move(*frame_);
        frame_.reset();
    }
}

void TimelineScene::layOut() {
    layout_ = RowLayout(model_, choices_, sizes_);
    ++rows_revision_;
    sticky_ = layout_.stickyHeight(static_cast<int>(size_.height() * kMostSticky));
    setScroll(scroll_);
    outdate();
}

int TimelineScene::maxScroll() const {
    return std::max(0, layout_.height() - size_.height());
}

void TimelineScene::setScroll(int y) {
    const int clamped = std::clamp(y, 0, maxScroll());
    if (clamped != scroll_) {
        scroll_ = clamped;
        outdate();
    }
}

const Frame& TimelineScene::frame() {
    if (!frame_) {
        if (!builder_) {
            builder_.emplace(theme_, pixel_ratio_);
            painter_.emplace(theme_, pixel_ratio_);
        }
        frame_ = builder_->build(model_, layout_, {&viewport_, rows(), size_.width(), size_.height(), overlays_},
                                 std::move(spare_));
        painted_ = false;
    }
    return *frame_;
}

const QImage& TimelineScene::image() {
    const Frame& list = frame();
    if (!painted_) {
        if (image_.width() != list.width || image_.height() != list.height) {
            image_ = QImage(list.width, list.height, QImage::Format_RGB32);
        }
        image_.setDevicePixelRatio(1.0);  // the draw list is in device pixels
        painter_->paint(list, layout_, image_);
        image_.setDevicePixelRatio(pixel_ratio_);
        painted_ = true;
    }
    return image_;
}

Hit TimelineScene::hit(const QPointF& at) {
    const auto device = [this](double v) { return static_cast<int>(std::floor(v * pixel_ratio_)); };
    if (at.x() < 0 || at.y() < 0 || at.x() >= size_.width() || at.y() >= size_.height()) {
        return {};
    }
    return hitTest(frame(), device(at.x()), device(at.y()), device(metrics::kHitTolerance));
}

std::optional<TimeSpan> TimelineScene::stepAt(const QPointF& at) const {
    const LayoutRow* row = rowAt(at.y());
    if (row == nullptr || row->kind != RowKind::Rank) {
        return {};
    }
    const TimeNs t = viewport_.timeAt(at.x());
    for (const StepMark& step : model_.rank(row->run, row->rank)->steps) {
        if (step.span.contains(t)) {
            return step.span;
        }
    }
    return {};
}

void TimelineScene::toggleFoldAt(double y) {
    if (const LayoutRow* row = rowAt(y)) {
        toggleFold(*row, choices_);
        layOut();
    }
}

// So that [y, y + height) of the layout, which is of `row`, is in sight below what stays at the top.
void TimelineScene::scrollTo(const LayoutRow& row, int y, int height) {
    if (row.y < sticky_) {
        return;
    }
    if (y < scroll_ + sticky_ + kScrollMargin || y + height > scroll_ + size_.height() - kScrollMargin) {
        setScroll(y + height / 2 - (size_.height() + sticky_) / 2);
    }
}

void TimelineScene::showRank(std::uint32_t run, std::uint32_t rank) {
    unfoldTo(model_, run, rank, choices_);
    layOut();
    if (const LayoutRow* row = layout_.findRank(run, rank)) {
        scrollTo(*row, row->y, row->height + 2 * sizes_.row);
    }
}

void TimelineScene::setChoices(RowChoices choices) {
    choices_ = std::move(choices);
    layOut();
}

void TimelineScene::showRankNumber(std::uint32_t run, std::int32_t number) {
    const auto has = [&](std::uint32_t r) -> std::optional<std::uint32_t> {
        const auto& ranks = model_.runs()[r].ranks;
        const auto at = std::ranges::find_if(ranks, [&](const RankView& v) { return v.trace->rank == number; });
        return at != ranks.end() ? std::optional(static_cast<std::uint32_t>(at - ranks.begin())) : std::nullopt;
    };
    std::vector<std::uint32_t> order;
    for (std::uint32_t r = 0; r < model_.runs().size(); ++r) {
        order.insert(r == run ? order.begin() : order.end(), r);
    }
    for (const std::uint32_t r : order) {
        if (const auto rank = has(r)) {
            showRank(r, *rank);
            setScroll(layout_.findRank(r, *rank)->y - sticky_);
            return;
        }
    }
}

std::optional<TimeSpan> TimelineScene::showStep(std::uint32_t run, std::uint32_t rank, std::uint32_t step) {
    const RankView* view = model_.rank(run, rank);
    if (view == nullptr || view->facts == nullptr || step >= view->facts->steps.size()) {
        return {};
    }
    showRank(run, rank);
    return view->toAxis(view->facts->steps[step].span);
}

TimeSpan TimelineScene::reveal(const Selection& selection) {
    if (selection.index() == 0 || !model_.holds(selection)) {
        return viewport_.window();
    }
    if (const auto* s = std::get_if<SliceSelection>(&selection)) {
        const std::uint16_t depth = model_.rank(s->run, s->rank)->trace->track(s->slice).slices.depth[s->slice.slice];
        unfoldTo(model_, s->run, s->rank, s->slice.track, depth, choices_);
        layOut();
        if (const LayoutRow* row = layout_.find(s->run, s->rank, s->slice.track)) {
            scrollTo(*row, row->y + depth * row->row_height, row->row_height);
        }
    } else if (const auto* g = std::get_if<GapSelection>(&selection)) {
        showRank(g->run, g->rank);
    } else if (const auto* b = std::get_if<BandSelection>(&selection)) {
        showRank(b->run, b->rank);
    } else if (const auto* l = std::get_if<StragglerSelection>(&selection)) {
        showRank(l->run, l->rank);
    }
    const TimeSpan span = model_.spanOf(selection);
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
