// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_widget.h"

#include <QPainter>

#include "ui/timeline/metrics.h"
#include "ui/timeline/navigation.h"
#include "ui/timeline/overlay_painter.h"
#include "ui/timeline/side_painter.h"
#include "ui/timeline/timeline_impl.h"

namespace rankscope::ui {
namespace {

constexpr int kFrameMs = 16;
constexpr double kFitShare = 0.8;
constexpr double kZoomPerAction = 0.35;
constexpr double kPanPerAction = 0.2;  // of the width

}  // namespace

TimelineWidget::TimelineWidget(Theme theme, QWidget* parent)
    : QWidget(parent), impl_(std::make_unique<Impl>(this, theme)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(metrics::kSideWidth + 120, metrics::kRulerHeight + 60);
    impl_->timer.setInterval(kFrameMs);
    impl_->timer.setTimerType(Qt::PreciseTimer);
    connect(&impl_->timer, &QTimer::timeout, this, [this] { impl_->tick(); });
    connect(&impl_->bar, &QScrollBar::valueChanged, this, [this](int y) {
        impl_->scene.setScroll(y);
        impl_->changed();
    });
    connect(&impl_->store, &IndexStore::built, this, [this] {
        impl_->scene.takeIndices(impl_->store);
        impl_->changed();
    });
}

TimelineWidget::~TimelineWidget() = default;

QRect TimelineWidget::tracksArea() const {
    const int right = width() - impl_->bar.sizeHint().width();
    return {QPoint(metrics::kSideWidth, metrics::kRulerHeight), QPoint(right - 1, height() - 1)};
}

// The frame will be another one: brings the scroll bar and what hangs on the pointer in line with it.
void TimelineWidget::Impl::changed() {
    const QSignalBlocker quiet(bar);
    bar.setPageStep(self->tracksArea().height());
    bar.setSingleStep(metrics::kRowHeight * 3);
    bar.setRange(0, scene.maxScroll());
    bar.setValue(scene.scroll());
    hovered = {};
    tip = {};
    self->update();
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
        motion.moveTo(window, scene.changeView());
        animate();
    }
    changed();
}

// Selects for the user.
void TimelineWidget::Impl::choose(const Selection& wanted) {
    if (wanted != selected) {
        selected = wanted;
        self->update();
        Q_EMIT self->selectionChanged(selected);
    }
}

void TimelineWidget::Impl::go(const Selection& wanted) {
    if (wanted.index() != 0) {
        choose(wanted);
        moveTo(scene.reveal(wanted));
    }
}

void TimelineWidget::setRuns(std::vector<std::shared_ptr<const AnalysedRun>> runs) {
    TimelineModel model(runs);
    impl_->selected = model.carriedOver(impl_->selected, impl_->scene.model());
    impl_->store.want(model.traces());
    model.takeIndices(impl_->store);
    impl_->scene.setModel(std::move(model));
    impl_->changed();
}

void TimelineWidget::setTheme(Theme theme) {
    impl_->scene.setTheme(theme);
    impl_->changed();
}

const Selection& TimelineWidget::selection() const {
    return impl_->selected;
}

void TimelineWidget::select(const Selection& selection) {
    impl_->selected = impl_->scene.model().holds(selection) ? selection : Selection();
    update();
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
        case TimelineAction::NextSlice: i.go(neighbourSlice(model, i.selected, Direction::Forward)); return;
        case TimelineAction::PreviousSlice: i.go(neighbourSlice(model, i.selected, Direction::Back)); return;
        case TimelineAction::NextGap: i.go(neighbourGap(model, i.selected, from, Direction::Forward)); return;
        case TimelineAction::PreviousGap: i.go(neighbourGap(model, i.selected, from, Direction::Back)); return;
        case TimelineAction::FollowLink: i.go(linkedSlice(model, i.selected, Direction::Forward)); return;
        case TimelineAction::FollowLinkBack: i.go(linkedSlice(model, i.selected, Direction::Back)); return;
        case TimelineAction::Clear:
            i.drag.cancel();
            i.range.reset();
            i.choose({});
            update();
            return;
    }
    i.animate();
}

void TimelineWidget::leaveKeysToShortcuts() {
    impl_->only_held_keys = true;
}

void TimelineWidget::settle() {
    impl_->store.finish();
    impl_->timer.stop();
    impl_->motion.finish(impl_->scene.changeView());
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
    const int bar = impl_->bar.sizeHint().width();
    impl_->bar.setGeometry(width() - bar, 0, bar, height());
    impl_->scene.resize(tracksArea().size(), devicePixelRatioF());
    impl_->changed();
}

void TimelineWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    impl_->paint(painter);
}

void TimelineWidget::Impl::paint(QPainter& painter) {
    const QRect tracks = self->tracksArea();
    const Theme& theme = scene.theme();
    painter.drawImage(tracks.topLeft(), scene.image());
    painter.fillRect(QRect(QPoint(tracks.right() + 1, 0), self->rect().bottomRight()),
                     theme.surface);  // the scroll bar's
    const Frame& frame = scene.frame();
    const QRect side(0, tracks.top(), metrics::kSideWidth, tracks.height());
    const QRect corner(0, 0, metrics::kSideWidth, metrics::kRulerHeight);
    const QRect ruler(tracks.left(), 0, tracks.width(), metrics::kRulerHeight);
    const bool over_side = pointer.x() < 0 && pointer.y() >= 0;
    paintSide(painter, side, frame, scene.layout(), theme, over_side ? static_cast<int>(pointer.y()) : -1);
    paintRuler(painter, ruler, corner, frame, theme);
    if (scene.model().runs().empty()) {
        paintEmpty(painter, tracks, theme);
        return;
    }
    if (hovered.item != nullptr && hovered.count == 1) {
        paintSameName(painter, tracks, frame, hovered.item->name_hash, theme);
    }
    paintSelection(painter, tracks, frame, rectOf(frame, scene.model(), selected), theme);
    if (range) {
        const Viewport& view = scene.viewport();
        paintRange(painter, tracks, view.xAt(range->from_ns), view.xAt(range->to_ns),
                   std::abs(range->to_ns - range->from_ns), theme);
    }
    if (pointer.x() >= 0 && pointer.y() >= 0) {
        paintPointer(painter, tracks, static_cast<int>(pointer.x()), theme);
        paintTip(painter, tip, tracks.topLeft() + pointer.toPoint(), self->rect(), theme);
    }
}

}  // namespace rankscope::ui
