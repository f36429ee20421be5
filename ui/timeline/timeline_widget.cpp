// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_widget.h"

#include <utility>

#include "ui/timeline/label_text.h"
#include "ui/timeline/metrics.h"
#include "ui/timeline/navigation.h"
#include "ui/timeline/timeline_impl.h"

namespace rankscope::ui {
namespace {

constexpr int kFrameMs = 16;
constexpr double kFitShare = 0.8;
constexpr int kLeastTracks = 120;  // logical pixels: below this the overview makes room
constexpr double kZoomPerAction = 0.35;
constexpr double kPanPerAction = 0.2;  // of the width

}  // namespace

TimelineWidget::TimelineWidget(const Theme& theme, QWidget* parent, std::shared_ptr<IndexStore> indices)
    : QWidget(parent),
      impl_(std::make_unique<Impl>(this, theme, indices ? std::move(indices) : std::make_shared<IndexStore>())) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(edgeSizes(theme).side + 120, edgeSizes(theme).ruler + 60);
    impl_->uptime.start();
    impl_->timer.setInterval(kFrameMs);
    impl_->timer.setTimerType(Qt::PreciseTimer);
    connect(&impl_->timer, &QTimer::timeout, this, [this] { impl_->tick(); });
    connect(&impl_->bar, &QScrollBar::valueChanged, this, [this](int y) {
        impl_->scene.setScroll(y);
        impl_->changed();
    });
    connect(impl_->store.get(), &IndexStore::built, this, [this] {
        if (impl_->scene.model().rankCount() > 0) {
            impl_->scene.takeIndices(*impl_->store);
            impl_->take(impl_->selected);  // its collective may be known now
            impl_->showModel();
        }
    });
    connect(&impl_->overview, &Overview::windowAsked, this, [this](const TimeSpan& window) {
        impl_->motion.stop();
        impl_->scene.changeView().setWindow(window);
        impl_->changed();
    });
    connect(&impl_->overview, &Overview::cellActivated, this,
            [this](std::uint32_t run, std::uint32_t rank, std::uint32_t step) {
                if (const auto span = impl_->scene.showStep(run, rank, step)) {
                    impl_->moveTo(impl_->scene.viewport().windowFitting(*span, kFitShare));
                }
            });
    impl_->makeOrderButton();
    impl_->note.hide();
    impl_->note.setProperty("role", QStringLiteral("note"));
    impl_->note.setAccessibleName(tr("Note of the mark"));
    connect(&impl_->note, &QLineEdit::editingFinished, this, [this] { impl_->finishNote(); });
    connect(&impl_->overview, &Overview::pointerEntered, this, [this] { impl_->forgetPointer(); });
}

TimelineWidget::~TimelineWidget() {
    impl_->store->forget(this);
}

QRect TimelineWidget::tracksArea() const {
    const int right = width() - impl_->bar.sizeHint().width();
    const EdgeSizes sizes = edgeSizes(impl_->scene.theme());
    const int top = (impl_->overview.isHidden() ? 0 : impl_->overview.height()) + sizes.ruler;
    return {QPoint(sizes.side, top), QPoint(right - 1, height() - 1)};
}

// The frame will be another one: brings the scroll bar and what hangs on the pointer in line with it.
void TimelineWidget::Impl::changed() {
    const QSignalBlocker quiet(bar);
    bar.setPageStep(self->tracksArea().height());
    bar.setSingleStep(rowSizes(scene.theme()).row * 3);
    bar.setRange(0, scene.maxScroll());
    bar.setValue(scene.scroll());
    const TimeSpan window = scene.viewport().window();
    overview.setWindow(window);
    hovered = {};
    tip = {};
    refresh();
    if (std::exchange(told_window, window) != window) {
        Q_EMIT self->windowChanged(window);
    }
}

void TimelineWidget::Impl::refresh() {
    QRegion region(self->rect());
    for (const QWidget* child :
         {static_cast<QWidget*>(&bar), static_cast<QWidget*>(&order_button), static_cast<QWidget*>(&overview)}) {
        if (child->isVisible()) {
            region -= child->geometry();
        }
    }
    self->update(region);
}

void TimelineWidget::Impl::place() {
    const int bar_width = bar.sizeHint().width();
    const int wanted = overview_wanted ? overview.preferredHeight() : 0;
    const bool fits = wanted > 0 && self->height() - wanted - edgeSizes(scene.theme()).ruler >= kLeastTracks;
    overview.setVisible(fits);
    overview.setGeometry(0, 0, self->width() - bar_width, fits ? wanted : 0);
    const int top = fits ? wanted : 0;
    bar.setGeometry(self->width() - bar_width, top, bar_width, self->height() - top);
    scene.resize(self->tracksArea().size(), self->devicePixelRatioF());
    placeOrderButton();
    changed();
}

void TimelineWidget::Impl::showModel() {
    overview.setModel(scene.model(), scene.viewport().limits(), scene.choices().rank_order);
    place();
}

void TimelineWidget::Impl::animate() {
    if (!timer.isActive()) {
        clock.start();
        timer.start();
    }
}

void TimelineWidget::Impl::tick() {
    const double ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    clock.restart();
    if (!motion.advance(ms, scene.changeView())) {
        timer.stop();
    }
    changed();
}

void TimelineWidget::Impl::moveTo(const TimeSpan& window) {
    if (window != scene.viewport().window()) {
        motion.moveTo(window, static_cast<double>(uptime.nsecsElapsed()) / 1e6, scene.changeView());
        animate();
    }
    changed();
}

// Selects for the user.
void TimelineWidget::Impl::choose(const Selection& wanted) {
    if (wanted != selected) {
        take(wanted);
        Q_EMIT self->selectionChanged(selected);
    }
}

void TimelineWidget::Impl::take(const Selection& wanted) {
    selected = wanted;
    links = linksOf(scene.model(), wanted);
    way_on = way_back = 0;
    showWays();
    refresh();
}

void TimelineWidget::Impl::go(const Selection& wanted) {
    if (wanted.index() != 0) {
        choose(wanted);
        moveTo(scene.reveal(wanted));
    }
}

void TimelineWidget::setRuns(const std::vector<std::shared_ptr<const AnalysedRun>>& runs) {
    TimelineModel model(runs);
    const Selection carried = model.carriedOver(impl_->selected, impl_->scene.model());
    impl_->store->want(model.sources(), this);
    model.takeIndices(*impl_->store);
    impl_->scene.setModel(std::move(model));
    impl_->take(carried);
    impl_->setArea({});  // its rows may have moved
    impl_->showModel();
}

void TimelineWidget::setTheme(const Theme& theme) {
    impl_->scene.setTheme(theme);
    impl_->overview.setTheme(theme);
    setMinimumSize(edgeSizes(theme).side + 120, edgeSizes(theme).ruler + 60);
    impl_->place();  // the text may have another size
}

const Selection& TimelineWidget::selection() const {
    return impl_->selected;
}

TimeSpan TimelineWidget::spanOf(const Selection& selection) const {
    return impl_->scene.model().spanOf(selection);
}

void TimelineWidget::select(const Selection& selection) {
    impl_->take(impl_->scene.model().holds(selection) ? selection : Selection());
}

void TimelineWidget::reveal(const Selection& selection) {
    select(selection);
    impl_->moveTo(impl_->scene.reveal(impl_->selected));
}

void TimelineWidget::fitSelection() {
    if (impl_->selected.index() == 0) {
        fitAll();
        return;
    }
    (void)impl_->scene.reveal(impl_->selected);
    const TimeSpan span = impl_->scene.model().spanOf(impl_->selected);
    impl_->moveTo(impl_->scene.viewport().windowFitting(span, kFitShare));
}

void TimelineWidget::fitAll() {
    impl_->moveTo(impl_->scene.viewport().limits());
}

void TimelineWidget::showWindow(const TimeSpan& window) {
    impl_->motion.stop();
    impl_->scene.changeView().setWindow(window);
    impl_->changed();
}

void TimelineWidget::followWindow(const TimeSpan& window) {
    impl_->motion.stop();
    impl_->scene.changeView().follow(window);
    impl_->changed();
}

void TimelineWidget::trigger(TimelineAction action) {
    Impl& i = *impl_;
    const int wide = i.scene.viewport().width();
    const double x = i.pointer.x() >= 0 ? i.pointer.x() : wide / 2.0;
    const TimelineModel& model = i.scene.model();
    const TimeNs from = i.scene.viewport().window().start_ns;
    switch (action) {
        case TimelineAction::ZoomIn: i.motion.zoomBy(kZoomPerAction, x); break;
        case TimelineAction::ZoomOut: i.motion.zoomBy(-kZoomPerAction, x); break;
        case TimelineAction::PanLeft: i.motion.panBy(-kPanPerAction * wide); break;
        case TimelineAction::PanRight: i.motion.panBy(kPanPerAction * wide); break;
        case TimelineAction::FitSelection: fitSelection(); return;
        case TimelineAction::FitAll: fitAll(); return;
        case TimelineAction::NextSlice: i.goToSlice(Direction::Forward); return;
        case TimelineAction::PreviousSlice: i.goToSlice(Direction::Back); return;
        case TimelineAction::NextGap: i.go(neighbourGap(model, i.selected, from, Direction::Forward)); return;
        case TimelineAction::PreviousGap: i.go(neighbourGap(model, i.selected, from, Direction::Back)); return;
        case TimelineAction::FollowLink: i.goAlong(Direction::Forward); return;
        case TimelineAction::FollowLinkBack: i.goAlong(Direction::Back); return;
        case TimelineAction::OtherLink: i.turnTo(Direction::Forward); return;
        case TimelineAction::OtherLinkBack: i.turnTo(Direction::Back); return;
        case TimelineAction::RowBelow: i.goToRow(Direction::Forward); return;
        case TimelineAction::RowAbove: i.goToRow(Direction::Back); return;
        case TimelineAction::FoldTrack: i.foldTrack(); return;
        case TimelineAction::FoldRank: i.foldRank(); return;
        case TimelineAction::Mark: i.addMark(false); return;
        case TimelineAction::KeepMark: i.addMark(true); return;
        case TimelineAction::RemoveMark: i.removeMark(); return;
        case TimelineAction::NoteMark: i.noteMark(); return;
        case TimelineAction::NextMark: i.chooseMark(Direction::Forward); return;
        case TimelineAction::PreviousMark: i.chooseMark(Direction::Back); return;
        case TimelineAction::AreaOfSelection: i.areaOfSelection(); return;
        case TimelineAction::AreaOfAll: i.areaOfAll(); return;
        case TimelineAction::PinTrack: i.pinSelected(); return;
        case TimelineAction::HideTrack: i.hideSelected(); return;
        case TimelineAction::ShowHidden: i.changeRows([](RowChoices& rows) { showHidden(nullptr, rows); }); return;
        case TimelineAction::Clear:
            i.chosen_mark.reset();
            i.note.hide();
            i.drag.cancel();
            i.head.reset();
            i.setArea({});
            i.choose({});
            i.refresh();
            return;
    }
    i.animate();
}

void TimelineWidget::leaveKeysToShortcuts() {
    impl_->only_held_keys = true;
}

void TimelineWidget::showRank(std::int32_t number) {
    const auto run = std::visit(
        [](const auto& s) {
            if constexpr (std::is_same_v<std::decay_t<decltype(s)>, std::monostate>) {
                return std::uint32_t{0};
            } else {
                return s.run;
            }
        },
        impl_->selected);
    impl_->scene.showRankNumber(run, number);
    impl_->changed();
}

std::vector<QWidget*> TimelineWidget::controls() {
    return {&impl_->overview.button(), &impl_->order_button};
}

Overview& TimelineWidget::overview() {
    return impl_->overview;
}

void TimelineWidget::setOverviewVisible(bool visible) {
    impl_->overview_wanted = visible;
    impl_->place();
}

void TimelineWidget::setHits(std::shared_ptr<const SliceHits> hits) {
    impl_->hits = std::move(hits);
    impl_->refresh();
}

std::optional<AreaSelection> TimelineWidget::area() const {
    return impl_->area ? areaOf(impl_->scene.model(), impl_->scene.layout(), *impl_->area) : std::nullopt;
}

const OverlaySet& TimelineWidget::overlays() const {
    return impl_->scene.overlays();
}

void TimelineWidget::setOverlay(Overlay overlay, bool shown) {
    OverlaySet overlays = impl_->scene.overlays();
    overlays.set(overlay, shown);
    impl_->scene.setOverlays(overlays);
    impl_->changed();
}

void TimelineWidget::settle() {
    impl_->store->finish();
    impl_->timer.stop();
    impl_->motion.finish(impl_->scene.changeView());
    impl_->overview.finish();
    impl_->changed();
}

const Viewport& TimelineWidget::viewport() const {
    return impl_->scene.viewport();
}

const RowLayout& TimelineWidget::rowLayout() const {
    return impl_->scene.layout();
}

const Frame& TimelineWidget::frame() {
    return impl_->scene.frame();
}

void TimelineWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    impl_->place();
}

}  // namespace rankscope::ui
