// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline can be told to do, and what it tells of itself. Events are in timeline_events.cpp, painting is in
// timeline_paint.cpp.
#include "ui/timeline/timeline_widget.h"

#include <algorithm>
#include <utility>

#include "core/analysis/path_sums.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/frame/metrics.h"
#include "ui/timeline/navigation/navigation.h"
#include "ui/timeline/rows/row_menu.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_parts.h"

namespace rankscope::ui {
namespace {

constexpr int kLeastTracks = 120;  // logical pixels: below this the overview makes room
constexpr int kLeastWidth = 120;   // logical pixels of tracks
constexpr int kLeastHeight = 60;
constexpr double kWalkMs = 600;  // jumps that follow so soon are one, for going back

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
    connect(&p.frames, &FrameTimer::beat, this, &TimelineWidget::beat);
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

// ---- what is shown

void TimelineWidget::setRuns(const std::vector<std::shared_ptr<const AnalysedRun>>& runs) {
    TimelineModel model(runs);
    const Selection carried = model.carriedOver(selection(), parts_->scene.model());
    const bool moved = parts_->marks.carryOver(model, parts_->scene.model());
    carryOver(parts_->places, model, parts_->scene.model());
    const auto area =
        parts_->area.extent() ? carriedOver(*parts_->area.extent(), model, parts_->scene.model()) : std::nullopt;
    parts_->arrangements.clear();  // what it names may be another one now
    parts_->store->want(model.sources(), this);
    model.takeIndices(*parts_->store);
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
    p.scene.resize(tracksArea().size(), devicePixelRatioF());
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
        parts_->path_sought = stepInView() && overlays().has(Overlay::Path);  // then it is being worked out
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

const RowLayout& TimelineWidget::rowLayout() const {
    return parts_->scene.layout();
}

const Frame& TimelineWidget::frame() {
    return parts_->scene.frame();
}

// ---- the view

const Viewport& TimelineWidget::viewport() const {
    return parts_->scene.viewport();
}

void TimelineWidget::showWindow(const TimeSpan& window) {
    parts_->motion.stop();
    parts_->scene.changeView().setWindow(window);
    frameChanged();
}

void TimelineWidget::showSpan(std::uint32_t run, RankPosition rank, const TimeSpan& span) {
    leave();
    parts_->scene.showRank(run, rank);
    moveTo(viewport().windowFitting(span, Viewport::kFitShare));
}

void TimelineWidget::showStep(std::uint32_t run, RankPosition rank, RankStepPosition step) {
    leave();
    if (const auto span = parts_->scene.showStep(run, rank, step)) {
        moveTo(viewport().windowFitting(*span, Viewport::kFitShare));
    }
}

void TimelineWidget::followWindow(const TimeSpan& window) {
    parts_->motion.stop();
    parts_->scene.changeView().follow(window);
    frameChanged();
}

ViewPlace TimelineWidget::here() const {
    return {parts_->motion.destination(viewport()), parts_->scene.scroll(), selection()};
}

// Who goes from slice to slice wants back to where the walk began.
void TimelineWidget::leave() {
    const double now_ms = parts_->frames.uptimeMs();
    if (now_ms >= parts_->walk_until_ms) {
        parts_->places.leave(here());
    }
    parts_->walk_until_ms = now_ms + kWalkMs;
}

void TimelineWidget::goTo(const std::optional<ViewPlace>& place) {
    if (!place) {
        return;
    }
    parts_->walk_until_ms = 0;
    parts_->scene.setScroll(place->scroll);
    parts_->returning = true;
    choose(parts_->scene.model().holds(place->selection) ? place->selection : Selection());
    parts_->returning = false;
    moveTo(place->window);
}

void TimelineWidget::moveTo(const TimeSpan& window) {
    if (window != viewport().window()) {
        parts_->motion.moveTo(window, parts_->frames.uptimeMs(), parts_->scene.changeView());
        parts_->frames.start();
    }
    frameChanged();
}

void TimelineWidget::beat(double ms) {
    if (!parts_->motion.advance(ms, parts_->scene.changeView())) {
        parts_->frames.stop();
    }
    frameChanged();
}

void TimelineWidget::settle() {
    parts_->store->finish();
    parts_->frames.stop();
    parts_->motion.finish(parts_->scene.changeView());
    parts_->overview.finish();
    frameChanged();
    parts_->path.finish();
}

void TimelineWidget::fitSelection() {
    leave();
    if (const auto& area = parts_->area.extent(); area && parts_->area_is_newer) {
        moveTo(viewport().windowFitting(area->span(), Viewport::kFitShare));
        return;
    }
    if (parts_->selection.empty()) {
        fitAll();
        return;
    }
    (void)parts_->scene.reveal(selection());
    moveTo(viewport().windowFitting(spanOf(selection()), Viewport::kFitShare));
}

void TimelineWidget::fitAll() {
    leave();
    moveTo(viewport().limits());
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
    leave();
    select(selection);
    parts_->area_is_newer = false;
    moveTo(parts_->scene.reveal(this->selection(), around));
}

void TimelineWidget::keepSelectionInSight() {
    (void)parts_->scene.reveal(selection());
    refresh();
}

void TimelineWidget::take(const Selection& wanted) {
    const bool other = wanted != selection();
    parts_->selection.set(Selection(wanted), parts_->scene.model());
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
        leave();
        choose(wanted);
        moveTo(parts_->scene.reveal(wanted));
    }
}

void TimelineWidget::clear() {
    parts_->marks.choose({});
    parts_->named.reset();
    parts_->note.hide();
    parts_->drag.cancel();
    parts_->header.cancel();
    clearArea();
    choose({});
    refresh();
}

// ---- the rows

void TimelineWidget::changeRows(const std::function<void(RowChoices&)>& change) {
    RowChoices choices = parts_->scene.choices();
    change(choices);
    if (choices != parts_->scene.choices()) {
        keepArrangement();
        setRows(std::move(choices));
    }
}

void TimelineWidget::setRows(RowChoices choices) {
    parts_->scene.setChoices(std::move(choices));
    wantCounters();
    parts_->overview.setOrder(parts_->scene.choices().ranks());
    placeOrderButton();
    frameChanged();
    Q_EMIT rowsChanged();
}

void TimelineWidget::wantCounters() {
    std::vector<RankSource> sources = parts_->scene.sources();
    const bool wanted =
        std::ranges::any_of(sources, [](const RankSource& source) { return source.counters || source.run_counters; });
    if (wanted || parts_->counters_wanted) {
        parts_->store->want(sources, this);
        parts_->scene.takeIndices(*parts_->store);
    }
    parts_->counters_wanted = wanted;
}

void TimelineWidget::fold(const LayoutRow* row) {
    if (row != nullptr) {
        changeRows([row = *row](RowChoices& choices) { toggleFold(row, choices); });
    }
}

const LayoutRow* TimelineWidget::selectedRow() const {
    const auto* slice = std::get_if<SliceSelection>(&selection());
    return slice != nullptr ? rowLayout().find(slice->run, slice->rank, slice->slice.track) : nullptr;
}

QString TimelineWidget::orderTitle(RankOrder order) {
    return rankOrderTitle(order);
}

RankOrder TimelineWidget::rankOrder() const {
    return parts_->scene.choices().rank_order;
}

void TimelineWidget::setRankOrder(RankOrder order) {
    if (order != rankOrder()) {
        changeRows([order](RowChoices& choices) { choices.rank_order = order; });
    }
}

bool TimelineWidget::alikeFolded() const {
    return parts_->scene.choices().fold_alike;
}

void TimelineWidget::setAlikeFolded(bool folded) {
    if (folded != alikeFolded()) {
        changeRows([folded](RowChoices& choices) {
            choices.fold_alike = folded;
            choices.taken_out.clear();
        });
    }
}

bool TimelineWidget::showRank(RankNumber number) {
    const auto has = [number](const RankView& view) { return view.trace->rank == number; };
    const auto rank = rankOf(selection());
    parts_->scene.showRankNumber(rank ? rank->first : 0, number);
    frameChanged();
    return std::ranges::any_of(parts_->scene.model().runs(),
                               [&has](const RunView& run) { return std::ranges::any_of(run.ranks, has); });
}

std::vector<NamedTrack> TimelineWidget::tracks() const {
    return namedTracks(parts_->scene.model(), parts_->scene.choices());
}

void TimelineWidget::showTrack(const NamedTrack& track) {
    if (parts_->scene.model().rank(track.run, track.rank) == nullptr) {
        return;  // it was closed meanwhile
    }
    leave();
    const TimeSpan seen = viewport().window();
    const TimeNs middle = seen.start_ns + seen.length() / 2;
    choose(sliceNear(parts_->scene.model(), track.run, track.rank, track.track, middle));
    (void)parts_->scene.reveal(selection());  // the time in sight stays
    frameChanged();
}

void TimelineWidget::pinTrack(const NamedTrack& track) {
    if (const RankView* rank = parts_->scene.model().rank(track.run, track.rank)) {
        changeRows([key = keyOf(*rank->trace, track.track)](RowChoices& choices) { togglePin(key, choices); });
    }
}

// ---- the area

std::optional<AreaSelection> TimelineWidget::area() const {
    return parts_->area.selection(parts_->scene.model(), rowLayout());
}

void TimelineWidget::areaEdited() {
    parts_->area_is_newer = parts_->area.extent().has_value();
    tellContentChanged(*this);
    Q_EMIT areaChanged(area());
    refresh();
}

void TimelineWidget::clearArea() {
    if (parts_->area.extent()) {
        parts_->area.set({});
        areaEdited();
    }
}

void TimelineWidget::areaOfSelection() {
    const auto extent = extentOver(rowLayout(), spanOf(selection()), rowsOf(rowLayout(), selection()));
    if (extent) {
        parts_->area.set(extent);
        areaEdited();
    }
}

void TimelineWidget::areaToSelection() {
    const auto extent = extentOver(rowLayout(), spanOf(selection()), rowsOf(rowLayout(), selection()));
    if (extent) {
        parts_->area.cover(*extent, rowLayout());
        areaEdited();
    }
}

// ---- the marks

const std::vector<TimeMark>& TimelineWidget::marks() const {
    return parts_->marks.all();
}

void TimelineWidget::changeMarks(const std::function<void(Marks&)>& change) {
    const Arrangement before = arrangement();
    change(parts_->marks);
    if (marks() != before.marks) {
        parts_->arrangements.leave(before);
        Q_EMIT marksChanged();
    }
    refresh();
}

// Of what is selected, else of the area, else at the pointer.
void TimelineWidget::addMark(bool kept) {
    const TimeNs here = viewport().timeAt(parts_->hover.focusX(viewport().width()));
    const auto& area = parts_->area.extent();
    const TimeSpan elsewhere = area ? area->span() : TimeSpan{here, here};
    TimeMark mark{.span = elsewhere, .text = {}, .kept = kept, .run = 0, .rank = {}};
    if (const auto rank = rankOf(selection())) {
        mark.span = spanOf(selection());
        std::tie(mark.run, mark.rank) = *rank;
    }
    if (isOpen(mark)) {
        changeMarks([&mark](Marks& marks) { marks.add(std::move(mark)); });
        if (kept) {
            writeNote();
        }
    }
}

bool TimelineWidget::isOpen(const TimeMark& mark) const {
    return parts_->scene.model().rank(mark.run, mark.rank) != nullptr;
}

void TimelineWidget::removeMark() {
    changeMarks([](Marks& marks) { marks.removeChosen(); });
}

void TimelineWidget::writeNote() {
    const auto chosen = parts_->marks.chosen();
    if (!chosen) {
        return;
    }
    const TimeMark& mark = marks()[*chosen];
    const QRect tracks = tracksArea();
    const EdgeSizes sizes = edgeSizes(parts_->scene.theme());
    const double x = std::clamp(viewport().xAt(mark.span.start_ns), 0.0,
                                std::max(0.0, static_cast<double>(tracks.width() - sizes.editor)));
    parts_->note.edit(mark.text, QRect(tracks.left() + static_cast<int>(x), tracks.top() - sizes.ruler + 3,
                                       sizes.editor, sizes.ruler - 6));
}

void TimelineWidget::chooseMark(Direction direction) {
    const TimeSpan window = viewport().window();
    parts_->marks.chooseNext(direction, window.start_ns);
    if (const auto chosen = parts_->marks.chosen()) {
        const TimeSpan span = marks()[*chosen].span;
        if (span.start_ns < window.start_ns || span.end_ns > window.end_ns) {
            leave();
            const TimeNs start = span.start_ns + span.length() / 2 - window.length() / 2;
            moveTo({start, start + window.length()});
        }
    }
    refresh();
}

// ---- sessions

void TimelineWidget::leaveKeysToShortcuts() {
    parts_->only_held_keys = true;
}

TimelineState TimelineWidget::state() const {
    const TimelineScene& scene = parts_->scene;
    TimelineState state;
    state.window = viewport().window();
    state.scroll = scene.scroll();
    state.overlays = scene.overlays();
    state.overview = parts_->overview_wanted;
    state.measure = parts_->overview.measure();
    state.names_width = namesWidth();
    state.marks = marks();
    saveRows(scene.choices(), scene.model(), state);
    if (const auto& area = parts_->area.extent()) {
        state.area = savedExtent(scene.model(), *area);
    }
    std::erase_if(state.marks, [](const TimeMark& m) { return !m.kept; });
    return state;
}

void TimelineWidget::setState(const TimelineState& state) {
    TimelineScene& scene = parts_->scene;
    parts_->motion.stop();
    parts_->counters_asked = false;  // the rows stand as the state has them
    parts_->places.clear();
    parts_->arrangements.clear();
    scene.setOverlays(state.overlays);
    scene.setChoices(rowChoicesOf(state, scene.model()));
    wantCounters();
    if (!state.window.empty()) {
        scene.changeView().setWindow(state.window);
    }
    std::vector<TimeMark> marks = state.marks;
    std::erase_if(marks, [this](const TimeMark& mark) { return !isOpen(mark); });
    parts_->marks.set(std::move(marks));
    parts_->overview.setMeasure(state.measure);
    parts_->overview.setOrder(scene.choices().ranks());
    parts_->overview_wanted = state.overview;
    setNamesWidth(state.names_width);
    scene.setScroll(state.scroll);
    const bool had_area = parts_->area.extent().has_value();
    parts_->area.set(state.area ? restoredExtent(scene.model(), *state.area) : std::nullopt);
    if (had_area || parts_->area.extent()) {
        areaEdited();
    }
    frameChanged();
}

}  // namespace rankscope::ui
