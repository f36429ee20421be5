// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the timeline, and its signals. Events are in timeline_events.cpp, painting is in timeline_paint.cpp.
#include "ui/timeline/timeline_widget.h"

#include <algorithm>
#include <utility>

#include "core/analysis/path_sums.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/navigation/navigation.h"
#include "ui/timeline/rows/kept_place.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_parts.h"

namespace rankscope::ui {
namespace {

constexpr int kLeastTracks = 120;  // logical pixels: below this the overview shrinks
constexpr int kLeastWidth = 120;   // logical pixels of tracks
constexpr int kLeastHeight = 60;

}  // namespace

TimelineWidget::TimelineWidget(const Theme& theme, QWidget* parent, std::shared_ptr<IndexStore> indices)
    : QWidget(parent),
      parts_(std::make_unique<Parts>(this, theme, indices ? std::move(indices) : std::make_shared<IndexStore>())) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(edgeSizes(theme).side + kLeastWidth, edgeSizes(theme).ruler + kLeastHeight);
    connectParts();
}

TimelineWidget::~TimelineWidget() {
    parts_->store->forget(this);
}

void TimelineWidget::connectParts() {
    Parts& p = *parts_;
    connect(&p.view, &ViewMotion::changed, this, &TimelineWidget::frameChanged);
    connect(&p.edits, &ArrangementEdits::replacing, &p.note, &QWidget::hide);
    connect(&p.edits, &ArrangementEdits::rowsChanged, this, &TimelineWidget::showRows);
    connect(&p.edits, &ArrangementEdits::marksChanged, this, &TimelineWidget::marksChanged);
    connect(&p.bar, &QScrollBar::valueChanged, this, [this](int y) {
        parts_->scene.setScroll(y);
        frameChanged();
    });
    connect(p.store.get(), &IndexStore::built, this, [this] {
        if (parts_->scene.model().rankCount() > 0) {
            const auto take_indices = [this] { parts_->scene.takeIndices(*parts_->store); };
            parts_->counters_asked ? keepPlace(take_indices) : take_indices();
            take(selection());  // its collective may be known now
            showModel();
        }
    });
    connect(&p.path, &StepPath::changed, this, [this] {
        parts_->scene.setPath(parts_->path.shown());
        parts_->hover.forgetHit();
        if (std::exchange(parts_->path_sought, false)) {
            bringPathIntoSight();
        }
        refresh();
    });
    connect(&p.overview, &Overview::windowAsked, this, &TimelineWidget::showWindow);
    connect(&p.overview, &Overview::cellActivated, this, &TimelineWidget::showStep);
    connect(&p.overview, &Overview::pointerEntered, this, &TimelineWidget::forgetPointer);
    connect(&p.order_button, &RankOrderButton::orderChosen, this, &TimelineWidget::setRankOrder);
    connect(&p.order_button, &RankOrderButton::groupingChosen, this, &TimelineWidget::setGroupedBy);
    connect(&p.order_button, &RankOrderButton::alikeFoldedChosen, this, &TimelineWidget::setAlikeFolded);
    connect(&p.note, &NoteField::written, this, [this](const QString& text) {
        setFocus();
        changeMarks([&text](Marks& marks) { marks.setNote(text); });
    });
}

// ---- contents

void TimelineWidget::setRuns(const std::vector<std::shared_ptr<const AnalysedRun>>& runs) {
    TimelineModel model(runs);
    const Selection carried = model.carriedOver(selection(), parts_->scene.model());
    const bool moved = parts_->marks.carryOver(model, parts_->scene.model());
    carryOver(parts_->view.places(), model, parts_->scene.model());
    const auto area =
        parts_->area.extent() ? carriedOver(*parts_->area.extent(), model, parts_->scene.model()) : std::nullopt;
    parts_->edits.clear();  // the items that it names may have changed
    parts_->store->want(model.sources(), this);
    model.takeIndices(*parts_->store);
    if (std::ranges::find(runs, parts_->finding.of) == runs.end()) {
        parts_->finding = {};
    }
    parts_->scene.setModel(std::move(model));
    parts_->scene.setPath(parts_->path.shown());
    wantCounters();
    take(carried);
    area ? parts_->area.set(area) : clearArea();
    showModel();
    if (moved) {
        parts_->note.hide();
        Q_EMIT marksChanged();
    }
}

void TimelineWidget::setTheme(const Theme& theme) {
    parts_->overview.setTheme(theme);
    keepPlace([&] {  // the text may have another size
        parts_->scene.setTheme(theme);
        setMinimumSize(edgeSizes(theme).side + kLeastWidth, edgeSizes(theme).ruler + kLeastHeight);
        placeParts();
    });
}

void TimelineWidget::showModel() {
    const TimelineScene& scene = parts_->scene;
    parts_->overview.setModel(scene.model(), scene.viewport().limits(), scene.choices().ranks());
    placeParts();
}

void TimelineWidget::placeParts() {
    Parts& p = *parts_;
    const int bar_width = p.bar.sizeHint().width();
    const int own = overviewHeight();
    const int wanted = own > 0 ? std::max(own, p.least_overview) : 0;
    const bool fits = wanted > 0 && height() - wanted - edgeSizes(p.scene.theme()).ruler >= kLeastTracks;
    p.overview.setVisible(fits);
    p.overview.setGeometry(0, 0, width() - bar_width, fits ? wanted : 0);
    p.overview.setSide(sideWidth());
    const int top = fits ? wanted : 0;
    p.bar.setGeometry(width() - bar_width, top, bar_width, height() - top);
    const KeptPlace place(p.scene, selection());
    p.scene.resize(tracksArea().size(), devicePixelRatioF());
    if (oneRankUnfolded()) {
        place.restore(p.scene);  // row heights depend on the height of the view
    }
    placeOrderButton();
    frameChanged();
    if (std::exchange(p.told_overview_height, own) != own) {
        Q_EMIT overviewHeightChanged();
    }
}

void TimelineWidget::placeOrderButton() {
    Parts& p = *parts_;
    const EdgeSizes sizes = edgeSizes(p.scene.theme());
    p.order_button.showChoice(p.scene.choices().ranks(), dimensions(), alikeFolded());
    p.order_button.setVisible(p.scene.model().rankCount() > 1);
    p.order_button.setGeometry(metrics::kNamesText, tracksArea().top() - sizes.ruler + (sizes.ruler - sizes.button) / 2,
                               p.order_button.sizeHint().width(), sizes.button);
}

QRect TimelineWidget::tracksArea() const {
    const int right = width() - parts_->bar.sizeHint().width();
    const EdgeSizes sizes = edgeSizes(parts_->scene.theme());
    const int top = (parts_->overview.isHidden() ? 0 : parts_->overview.height()) + sizes.ruler;
    return {QPoint(sideWidth(), top), QPoint(right - 1, height() - 1)};
}

int TimelineWidget::sideWidth() const {
    return parts_->edge.width(parts_->scene.theme(), width());
}

int TimelineWidget::namesWidth() const {
    return parts_->edge.chosen();
}

void TimelineWidget::setNamesWidth(int width) {
    parts_->edge.choose(width);
    placeParts();
}

void TimelineWidget::frameChanged() {
    Parts& p = *parts_;
    const QSignalBlocker quiet(p.bar);
    p.bar.setPageStep(tracksArea().height());
    p.bar.setSingleStep(rowSizes(p.scene.theme()).row * 3);
    p.bar.setRange(0, p.scene.maxScroll());
    p.bar.setValue(p.scene.scroll());
    p.bar.setVisible(p.scene.maxScroll() > 0);  // its place stays: the time axis would move
    const TimeSpan window = p.scene.viewport().window();
    wantPath();
    p.overview.setWindow(window);
    p.hover.forgetHit();
    refresh();
    if (std::exchange(p.told_window, window) != window) {
        Q_EMIT windowChanged(window);
    }
}

void TimelineWidget::wantPath() {
    Parts& p = *parts_;
    const auto step = ui::stepInView(p.scene.model(), p.scene.layout(), selection(), viewport().window(),
                                     p.scene.rows().toRows(p.scene.rows().sticky));
    std::optional<PathRequest> request;
    if (step && p.scene.overlays().has(Overlay::Path)) {
        request = PathRequest{p.scene.model().runs()[step->run].run, *step};
    }
    p.path.want(request);
    if (std::exchange(p.step_in_view, step) != step) {
        Q_EMIT stepInViewChanged(step);
    }
}

void TimelineWidget::bringPathIntoSight() {
    const ShownPath* const path = parts_->scene.model().path();
    if (path == nullptr || path->of.at != stepInView()) {
        parts_->path_sought = stepInView() && overlays().has(Overlay::Path);  // in this case it is being computed
    } else if (const auto shares = ranksOfPath(path->path); !shares.empty() && frame().path.empty()) {
        parts_->scene.showRank(path->of.at.run, shares.front().rank);
        frameChanged();
    }
}

void TimelineWidget::refresh() {
    QRegion region(rect());
    for (const QWidget* child : {static_cast<QWidget*>(&parts_->bar), static_cast<QWidget*>(&parts_->order_button),
                                 static_cast<QWidget*>(&parts_->overview)}) {
        if (child->isVisible()) {
            region -= child->geometry();
        }
    }
    update(region);
}

Overview& TimelineWidget::overview() {
    return parts_->overview;
}

void TimelineWidget::setOverviewVisible(bool visible) {
    parts_->overview_wanted = visible;
    placeParts();
}

int TimelineWidget::overviewHeight() const {
    return parts_->overview_wanted ? parts_->overview.preferredHeight() : 0;
}

void TimelineWidget::setLeastOverview(int height) {
    if (std::exchange(parts_->least_overview, height) != height) {
        placeParts();
    }
}

std::vector<QWidget*> TimelineWidget::controls() {
    return {&parts_->overview, &parts_->overview.button(), &parts_->order_button};
}

std::optional<StepSelection> TimelineWidget::stepInView() const {
    return parts_->step_in_view;
}

const OverlaySet& TimelineWidget::overlays() const {
    return parts_->scene.overlays();
}

void TimelineWidget::setOverlay(Overlay overlay, bool shown) {
    OverlaySet overlays = parts_->scene.overlays();
    overlays.set(overlay, shown);
    parts_->scene.setOverlays(overlays);
    frameChanged();
}

void TimelineWidget::setHits(std::shared_ptr<const SliceHits> hits) {
    parts_->hits = std::move(hits);
    refresh();
}

void TimelineWidget::setAskedMarks(std::shared_ptr<const AskedMarks> marks) {
    parts_->asked = std::move(marks);
    parts_->asked_rects = {};
    tellContentChanged(*this);
    refresh();
}

const std::shared_ptr<const AskedMarks>& TimelineWidget::askedMarks() const {
    return parts_->asked;
}

const RowLayout& TimelineWidget::rowLayout() const {
    return parts_->scene.layout();
}

const Frame& TimelineWidget::frame() {
    return parts_->scene.frame();
}

void TimelineWidget::leaveKeysToShortcuts() {
    parts_->only_held_keys = true;
}

// ---- the view

const Viewport& TimelineWidget::viewport() const {
    return parts_->scene.viewport();
}

void TimelineWidget::showWindow(const TimeSpan& window) {
    parts_->view.stop();
    parts_->scene.changeView().setWindow(window);
    frameChanged();
}

void TimelineWidget::showSpan(std::uint32_t run, RankPosition rank, const TimeSpan& span) {
    parts_->view.leave(selection());
    parts_->scene.showRank(run, rank);
    parts_->view.travelTo(viewport().windowFitting(span, Viewport::kFitShare));
}

void TimelineWidget::showStep(std::uint32_t run, RankPosition rank, RankStepPosition step) {
    parts_->view.leave(selection());
    if (const auto span = parts_->scene.showStep(run, rank, step)) {
        parts_->view.travelTo(viewport().windowFitting(*span, Viewport::kFitShare));
    }
}

void TimelineWidget::showWhole(std::uint32_t run, RankPosition rank, const TimeSpan& span, bool travel) {
    constexpr double kShare = 0.98;  // the edges of the step, and the end of the previous one, are visible
    const TimeSpan window = viewport().windowFitting(span, kShare);
    if (!travel) {
        TimelineScene& scene = parts_->scene;
        scene.setFocus(run, rank);
        const LayoutRow* header = rowLayout().findRank(run, rank);
        if (header != nullptr && header->y + header->height > scene.size().height()) {
            scene.setScroll(header->y - scene.rows().sticky);
        }
        showWindow(window);
        return;
    }
    parts_->view.leave(selection());
    parts_->scene.showRank(run, rank);
    parts_->view.travelTo(window);
}

void TimelineWidget::setFindingMarks(FindingMarks marks) {
    parts_->finding = std::move(marks);
    tellContentChanged(*this);
    refresh();
}

const FindingMarks& TimelineWidget::findingMarks() const {
    return parts_->finding;
}

void TimelineWidget::followWindow(const TimeSpan& window) {
    parts_->view.stop();
    parts_->scene.changeView().follow(window);
    frameChanged();
}

void TimelineWidget::goTo(const std::optional<ViewPlace>& place) {
    if (!place) {
        return;
    }
    parts_->returning = true;
    choose(parts_->scene.model().holds(place->selection) ? place->selection : Selection());
    parts_->returning = false;
    parts_->scene.setScroll(place->scroll);  // another rank may be in focus now, with other rows
    parts_->view.returnTo(place->window);
}

void TimelineWidget::settle() {
    parts_->store->finish();
    parts_->view.finish();
    parts_->overview.finish();
    frameChanged();
    parts_->path.finish();
}

void TimelineWidget::fitSelection() {
    parts_->view.leave(selection());
    if (const auto& area = parts_->area.extent(); area && parts_->area_is_newer) {
        parts_->view.travelTo(viewport().windowFitting(area->span(), Viewport::kFitShare));
        return;
    }
    if (parts_->selection.empty()) {
        fitAll();
        return;
    }
    (void)parts_->scene.reveal(selection());
    parts_->view.travelTo(viewport().windowFitting(spanOf(selection()), Viewport::kFitShare));
}

void TimelineWidget::fitAll() {
    parts_->view.leave(selection());
    parts_->view.travelTo(viewport().limits());
}

// ---- the selection

const Selection& TimelineWidget::selection() const {
    return parts_->selection.what();
}

TimeSpan TimelineWidget::spanOf(const Selection& selection) const {
    return parts_->scene.model().spanOf(selection);
}

QStringList TimelineWidget::selectionWords() const {
    return wordsOf(parts_->scene.model(), selection(), parts_->scene.theme());
}

TimeSpan TimelineWidget::markedSpan() const {
    const auto& area = parts_->area.extent();
    return area ? area->span() : spanOf(selection());
}

void TimelineWidget::select(const Selection& selection) {
    take(parts_->scene.model().holds(selection) ? selection : Selection());
}

void TimelineWidget::reveal(const Selection& selection) {
    reveal(selection, spanOf(selection));
}

void TimelineWidget::reveal(const Selection& selection, const TimeSpan& around) {
    parts_->view.leave(this->selection());
    select(selection);
    parts_->area_is_newer = false;
    parts_->view.travelTo(parts_->scene.reveal(this->selection(), around));
}

void TimelineWidget::keepSelectionInSight() {
    (void)parts_->scene.reveal(selection());
    refresh();
}

void TimelineWidget::take(const Selection& wanted) {
    const bool other = wanted != selection();
    parts_->selection.set(Selection(wanted), parts_->scene.model());
    const auto rank = rankOf(selection());
    if (rank && parts_->scene.setFocus(rank->first, rank->second)) {
        frameChanged();
    }
    wantPath();
    refresh();
    if (other) {
        tellContentChanged(*this);
    }
}

void TimelineWidget::choose(const Selection& wanted) {
    if (wanted != selection()) {
        take(wanted);
        parts_->area_is_newer = false;
        parts_->named.reset();
        Q_EMIT selectionChanged(selection());
    }
}

void TimelineWidget::go(const Selection& wanted) {
    if (wanted.index() != 0) {
        parts_->view.leave(selection());
        choose(wanted);
        parts_->view.travelTo(parts_->scene.reveal(wanted));
    }
}

void TimelineWidget::clear() {
    const bool nothing = parts_->selection.empty() && !parts_->area.extent() && !parts_->area.firstPlace() &&
                         !parts_->marks.chosen() && !parts_->named;
    if (nothing && !parts_->finding.empty()) {
        setFindingMarks({});
    }
    parts_->marks.choose({});
    parts_->named.reset();
    parts_->note.hide();
    parts_->drag.cancel();
    parts_->header.cancel();
    clearArea();
    choose({});
    refresh();
}

bool TimelineWidget::returning() const {
    return parts_->returning;
}

}  // namespace rankscope::ui
