// SPDX-License-Identifier: GPL-3.0-or-later
// What the user can arrange in the timeline: its rows, the area, the marks, and how a session stores them.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/analysis/parallelism/grid_places.h"
#include "ui/theme/spoken.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/navigation/navigation.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/timeline_parts.h"

namespace rankscope::ui {

// ---- the rows

void TimelineWidget::showRows() {
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

void TimelineWidget::toggleCounters() {
    parts_->counters_asked = true;
    keepPlace([this] {
        parts_->edits.changeRows(
            [this](RowChoices& choices) { ui::toggleCounters(parts_->scene.model(), selection(), choices); });
    });
}

void TimelineWidget::fold(const LayoutRow* row) {
    if (row != nullptr) {
        parts_->edits.changeRows([row = *row](RowChoices& choices) { toggleFold(row, choices); });
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
        parts_->edits.changeRows([order](RowChoices& choices) { choices.rank_order = order; });
    }
}

bool TimelineWidget::alikeFolded() const {
    return parts_->scene.choices().fold_alike;
}

void TimelineWidget::setAlikeFolded(bool folded) {
    if (folded != alikeFolded()) {
        parts_->edits.changeRows([folded](RowChoices& choices) {
            choices.fold_alike = folded;
            choices.taken_out.clear();
        });
    }
}

bool TimelineWidget::oneRankUnfolded() const {
    return parts_->scene.oneRankUnfolded();
}

void TimelineWidget::setOneRankUnfolded(bool one_rank) {
    if (one_rank != oneRankUnfolded()) {
        keepPlace([&] { parts_->scene.setOneRankUnfolded(one_rank); });
        Q_EMIT rowsChanged();
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
    parts_->view.leave(selection());
    const TimeSpan seen = viewport().window();
    const TimeNs middle = seen.start_ns + seen.length() / 2;
    choose(sliceNear(parts_->scene.model(), track.run, track.rank, track.track, middle));
    (void)parts_->scene.reveal(selection());  // the visible time does not change
    frameChanged();
}

void TimelineWidget::pinTrack(const NamedTrack& track) {
    if (const RankView* rank = parts_->scene.model().rank(track.run, track.rank)) {
        parts_->edits.changeRows(
            [key = keyOf(*rank->trace, track.track)](RowChoices& choices) { togglePin(key, choices); });
    }
}

std::vector<Role> TimelineWidget::dimensions() const {
    std::vector<Role> roles;
    for (std::size_t r = 0; r < kRoleCount; ++r) {
        const auto role = static_cast<Role>(r);
        const auto has = [role](const RunView& run) {
            return dimensionOf(run.run->facts.parallelism.grid, role).has_value();
        };
        if (std::ranges::any_of(parts_->scene.model().runs(), has)) {
            roles.push_back(role);
        }
    }
    return roles;
}

std::optional<Role> TimelineWidget::groupedBy() const {
    return parts_->scene.choices().grouped_by;
}

void TimelineWidget::setGroupedBy(std::optional<Role> role) {
    if (role != groupedBy()) {
        parts_->edits.changeRows([role](RowChoices& choices) { choices.grouped_by = role; });
    }
}

void TimelineWidget::bringRankIntoSight(std::uint32_t run, RankPosition rank) {
    parts_->view.leave(selection());
    parts_->scene.showRank(run, rank);
    frameChanged();
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
    if (!parts_->area.extent()) {
        parts_->area.set({});  // one end of a time range may be chosen
    } else {
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
    parts_->edits.changeMarks(change);
    refresh();
}

// A mark for the selection, otherwise for the area, otherwise at the pointer.
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
            parts_->view.leave(selection());
            const TimeNs start = span.start_ns + span.length() / 2 - window.length() / 2;
            parts_->view.travelTo({start, start + window.length()});
        }
    }
    refresh();
}

// ---- sessions

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
    state.one_rank = scene.oneRankUnfolded();
    if (const auto& area = parts_->area.extent()) {
        state.area = savedExtent(scene.model(), *area);
    }
    std::erase_if(state.marks, [](const TimeMark& m) { return !m.kept; });
    return state;
}

void TimelineWidget::setState(const TimelineState& state) {
    TimelineScene& scene = parts_->scene;
    parts_->view.stop();
    parts_->counters_asked = false;  // the state determines the rows
    parts_->view.places().clear();
    parts_->edits.clear();
    scene.setOverlays(state.overlays);
    scene.setChoices(rowChoicesOf(state, scene.model()));
    scene.setOneRankUnfolded(state.one_rank.value_or(scene.oneRankUnfolded()));
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

void TimelineWidget::addState(const TimelineState& state) {
    RowChoices rows = parts_->scene.choices();
    addRows(state, parts_->scene.model(), rows);
    std::vector<TimeMark> marks = this->marks();
    std::ranges::copy_if(state.marks, std::back_inserter(marks), [this](const TimeMark& mark) { return isOpen(mark); });
    parts_->edits.set({std::move(rows), std::move(marks)});
}

}  // namespace rankscope::ui
