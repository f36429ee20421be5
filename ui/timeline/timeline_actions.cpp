// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline does for commands and keys, and how it takes that back.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/analysis/parallelism/grid_places.h"
#include "core/trace/category.h"
#include "ui/theme/notice.h"
#include "ui/timeline/navigation/navigation.h"
#include "ui/timeline/rows/row_menu.h"
#include "ui/timeline/timeline_parts.h"

namespace rankscope::ui {
namespace {

constexpr double kZoomPerAction = 0.35;
constexpr double kPanPerAction = 0.2;  // of the width
constexpr int kNamesStep = 24;         // logical pixels

/// Why nothing is linked to a selection in a direction.
QString whyNoWay(const TimelineModel& model, const Selection& selection, Direction direction) {
    const auto* at = std::get_if<SliceSelection>(&selection);
    if (at == nullptr) {
        return selection.index() == 0 ? TimelineWidget::tr("Nothing is selected: select a slice to follow its launch.")
                                      : TimelineWidget::tr("No launch leads on from what is selected.");
    }
    const bool device = isDeviceWork(model.rank(at->run, at->rank)->trace->category(at->slice));
    if (direction == Direction::Back) {
        return device
                   ? TimelineWidget::tr("The trace has no launch of this: what put it on its stream is not recorded.")
                   : TimelineWidget::tr("Nothing in the trace leads to this.");
    }
    return device ? TimelineWidget::tr("Nothing in the trace leads on from this.")
                  : TimelineWidget::tr("The trace has no device work that was launched inside of this.");
}

/// Why no gap lies in a direction. Gaps are gathered for a moment after a run appears: until then nothing is said of
/// what is there.
QString whyNoGap(const TimelineModel& model, Direction direction) {
    const auto gathered = [](const RankView& rank) { return rank.fact_index != nullptr; };
    const bool all =
        std::ranges::all_of(model.runs(), [&](const RunView& run) { return std::ranges::all_of(run.ranks, gathered); });
    if (!all) {
        return TimelineWidget::tr("The gaps are still being gathered.");
    }
    return direction == Direction::Forward
               ? TimelineWidget::tr("No gap of the device follows on this rank.")
               : TimelineWidget::tr("There is no gap of the device before this on this rank.");
}

/// Why no slice lies in a direction.
QString whyNoSlice(const TimelineModel& model, const Selection& selection, Direction direction) {
    const bool on = direction == Direction::Forward;
    const auto* at = std::get_if<SliceSelection>(&selection);
    if (at == nullptr) {
        return on ? TimelineWidget::tr("No work of the device follows on this.")
                  : TimelineWidget::tr("There is no work of the device before this.");
    }
    if (model.rank(at->run, at->rank)->index == nullptr) {
        return TimelineWidget::tr("The slices are still being gathered.");
    }
    return on ? TimelineWidget::tr("No slice follows on this row.")
              : TimelineWidget::tr("There is no slice before this on its row.");
}

QString nothingSelected() {
    return TimelineWidget::tr("Nothing is selected.");
}

}  // namespace

void TimelineWidget::zoomOrPan(TimelineAction action) {
    const int wide = viewport().width();
    const double x = parts_->hover.focusX(wide);
    switch (action) {
        case TimelineAction::ZoomIn: parts_->motion.zoomBy(kZoomPerAction, x); break;
        case TimelineAction::ZoomOut: parts_->motion.zoomBy(-kZoomPerAction, x); break;
        case TimelineAction::PanLeft: parts_->motion.panBy(-kPanPerAction * wide); break;
        case TimelineAction::PanRight: parts_->motion.panBy(kPanPerAction * wide); break;
        default: return;
    }
    parts_->frames.start();
}

void TimelineWidget::actOnNames(TimelineAction action) {
    const LayoutRow* const named = namedRow();
    switch (action) {
        case TimelineAction::NextName: goToName(Direction::Forward); break;
        case TimelineAction::PreviousName: goToName(Direction::Back); break;
        case TimelineAction::WiderNames: widenNames(kNamesStep); break;
        case TimelineAction::NarrowerNames: widenNames(-kNamesStep); break;
        case TimelineAction::FoldTrack:
            if (named == nullptr) {
                foldOrSayWhy(rowToFold(parts_->scene.model(), rowLayout(), selection()));
            } else if (const LayoutRow* row = rowToFold(rowLayout(), *named)) {
                parts_->named = RowAnchor{row->key, row->pinned, 0};  // the name itself may be folded away with it
                fold(row);
            } else {
                foldOrSayWhy(nullptr);
            }
            break;
        case TimelineAction::FoldRank: foldOrSayWhy(rankRowToFold(rowLayout(), selection())); break;
        default: break;
    }
}

void TimelineWidget::foldOrSayWhy(const LayoutRow* row) {
    if (row == nullptr) {
        sayPassing(*this, parts_->selection.empty() && !parts_->named ? tr("Nothing is selected that could be folded.")
                                                                      : tr("There is nothing to fold here."));
    }
    fold(row);
}

void TimelineWidget::followLink(Direction direction) {
    const Selection wanted = parts_->selection.alongLink(parts_->scene.model(), direction);
    if (wanted.index() == 0) {
        sayPassing(*this, whyNoWay(parts_->scene.model(), selection(), direction));
    }
    go(wanted);
}

void TimelineWidget::turnLink(Direction direction) {
    if (waysFrom(parts_->selection.links(), selection(), direction).size() < 2) {
        sayPassing(*this, parts_->selection.empty()         ? nothingSelected()
                          : direction == Direction::Forward ? tr("There is no other link on from this.")
                                                            : tr("There is no other link back from this."));
    }
    parts_->selection.chooseNextLink(direction);
    refresh();
}

void TimelineWidget::goToGap(Direction direction) {
    const Selection wanted = neighbourGap(parts_->scene.model(), selection(), viewport().window().start_ns, direction);
    if (wanted.index() == 0) {
        sayPassing(*this, whyNoGap(parts_->scene.model(), direction));
    }
    go(wanted);
}

// Somewhere one has to begin: with what is looked at.
bool TimelineWidget::beginInSight() {
    TimelineScene& scene = parts_->scene;
    const TimeSpan seen = viewport().window();
    const Selection first = firstSliceInSight(scene.model(), scene.layout(), scene.rows(), tracksArea().height(), seen);
    if (first.index() == 0) {
        return false;
    }
    const int scroll = scene.scroll();  // a panel may unfold below, and reveal() keeps away from the edges
    leave();
    choose(first);
    const TimeSpan readable = scene.reveal(first);
    scene.setScroll(scroll);
    const TimeSpan span = spanOf(first);
    const bool whole = span.start_ns >= seen.start_ns && span.end_ns <= seen.end_ns;
    moveTo(whole ? readable : seen);
    return true;
}

void TimelineWidget::goToSlice(Direction direction) {
    if (parts_->selection.empty()) {
        goToRow(direction);
        return;
    }
    const Selection wanted = neighbourSlice(parts_->scene.model(), selection(), direction);
    if (wanted.index() == 0) {
        sayPassing(*this, whyNoSlice(parts_->scene.model(), selection(), direction));
    }
    go(wanted);
}

void TimelineWidget::goToRow(Direction direction) {
    if (parts_->selection.empty() && beginInSight()) {
        return;
    }
    const TimelineScene& scene = parts_->scene;
    const TimeSpan seen = viewport().window();
    const TimeNs at = parts_->selection.empty() ? seen.start_ns + seen.length() / 2 : spanOf(selection()).start_ns;
    const Selection wanted = sliceOfNextRow(scene.model(), scene.layout(), selection(), at, scene.scroll(), direction);
    if (wanted.index() == 0) {
        const auto* slice = std::get_if<SliceSelection>(&selection());
        const bool hidden =
            slice != nullptr && rowLayout().visibleProxy(slice->run, slice->rank, slice->slice.track) == nullptr;
        sayPassing(*this, parts_->selection.empty()         ? tr("No track with slices is shown.")
                          : hidden                          ? tr("The track of the selection is hidden.")
                          : direction == Direction::Forward ? tr("No track with slices is shown below this.")
                                                            : tr("No track with slices is shown above this."));
    }
    go(wanted);
}

bool TimelineWidget::seesSelection() const {
    const LayoutRow* row = selectedRow();
    int y = row != nullptr ? row->y : 0;
    if (const auto* slice = std::get_if<SliceSelection>(&selection()); slice != nullptr && row != nullptr) {
        const Track& track = parts_->scene.model().rank(slice->run, slice->rank)->trace->track(slice->slice);
        y += std::min<int>(track.slices.depth[slice->slice.slice], std::max(1, int{row->rows}) - 1) * row->row_height;
    } else if (const auto rank = rankOf(selection()); rank && slice == nullptr) {
        row = rowLayout().findRank(rank->first, rank->second);
        y = row != nullptr ? row->y : 0;
    }
    const RowScroll place = parts_->scene.rows();
    const int top = row != nullptr && row->y < place.sticky ? 0 : place.sticky;
    return row != nullptr && place.toView(y) >= top && place.toView(y) < tracksArea().height();
}

void TimelineWidget::keepPlace(const std::function<void()>& change) {
    TimelineScene& scene = parts_->scene;
    const bool sees = seesSelection();
    const RowScroll before = scene.rows();
    const auto rows = rowLayout().rows();
    // What may go itself is no hold.
    const auto holds = [](const LayoutRow& row) {
        return row.kind != RowKind::Counter && row.kind != RowKind::RunCounter;
    };
    const std::size_t top = rowLayout().firstBelow(before.scroll + before.sticky);
    const auto held = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(top), rows.end(), holds);
    const RowAnchor anchor = held != rows.end() ? RowAnchor{held->key, held->pinned, 0} : RowAnchor();
    const std::optional<int> down =
        held != rows.end() && before.scroll > 0 ? std::optional(before.toView(held->y)) : std::nullopt;
    change();
    if (down) {
        scene.setScroll(rowLayout().yOf(anchor) - *down);
    }
    if (sees && !seesSelection()) {
        keepSelectionInSight();
    }
    frameChanged();
}

void TimelineWidget::trigger(TimelineAction action) {
    Parts& p = *parts_;
    switch (action) {
        case TimelineAction::ZoomIn:
        case TimelineAction::ZoomOut:
        case TimelineAction::PanLeft:
        case TimelineAction::PanRight: zoomOrPan(action); return;
        case TimelineAction::FitSelection: fitSelection(); return;
        case TimelineAction::FitAll: fitAll(); return;
        case TimelineAction::NextSlice: goToSlice(Direction::Forward); return;
        case TimelineAction::PreviousSlice: goToSlice(Direction::Back); return;
        case TimelineAction::NextGap: goToGap(Direction::Forward); return;
        case TimelineAction::PreviousGap: goToGap(Direction::Back); return;
        case TimelineAction::FollowLink: followLink(Direction::Forward); return;
        case TimelineAction::FollowLinkBack: followLink(Direction::Back); return;
        case TimelineAction::OtherLink: turnLink(Direction::Forward); return;
        case TimelineAction::OtherLinkBack: turnLink(Direction::Back); return;
        case TimelineAction::RowBelow: goToRow(Direction::Forward); return;
        case TimelineAction::RowAbove: goToRow(Direction::Back); return;
        case TimelineAction::NextName:
        case TimelineAction::PreviousName:
        case TimelineAction::WiderNames:
        case TimelineAction::NarrowerNames:
        case TimelineAction::FoldTrack:
        case TimelineAction::FoldRank: actOnNames(action); return;
        case TimelineAction::Mark: addMark(false); return;
        case TimelineAction::KeepMark: addMark(true); return;
        case TimelineAction::RemoveMark:
        case TimelineAction::NoteMark:
        case TimelineAction::NextMark:
        case TimelineAction::PreviousMark: actOnMarks(action); return;
        case TimelineAction::AreaOfSelection:
        case TimelineAction::AreaToSelection: actOnArea(action); return;
        case TimelineAction::AreaOfAll:
            p.area.coverTime(p.scene.model().extent(), rowLayout(), rowsOf(rowLayout(), selection()));
            if (p.area.extent()) {
                areaEdited();
            }
            return;
        case TimelineAction::PinTrack:
        case TimelineAction::HideTrack:
        case TimelineAction::ShowHidden: actOnRows(action); return;
        case TimelineAction::Counters: toggleCounters(); return;
        case TimelineAction::GoBack:
        case TimelineAction::GoForward:
        case TimelineAction::Undo:
        case TimelineAction::Redo: goInHistory(action); return;
        case TimelineAction::Clear: clear(); return;
    }
}

void TimelineWidget::goInHistory(TimelineAction action) {
    Parts& p = *parts_;
    if (action == TimelineAction::GoBack || action == TimelineAction::GoForward) {
        const bool back = action == TimelineAction::GoBack;
        const std::optional<ViewPlace> place = back ? p.places.back(here()) : p.places.forward(here());
        if (!place) {
            sayPassing(*this, back ? tr("There is no place to go back to.") : tr("There is no place to go on to."));
        }
        goTo(place);
        return;
    }
    const bool undo = action == TimelineAction::Undo;
    const std::optional<Arrangement> wanted =
        undo ? p.arrangements.back(arrangement()) : p.arrangements.forward(arrangement());
    if (!wanted) {
        sayPassing(*this, undo ? tr("Nothing to undo.") : tr("Nothing to redo."));
    }
    arrange(wanted);
}

void TimelineWidget::actOnMarks(TimelineAction action) {
    const bool chosen = parts_->marks.chosen().has_value();
    const bool steps = action == TimelineAction::NextMark || action == TimelineAction::PreviousMark;
    if (marks().empty()) {
        sayPassing(*this, tr("There is no mark."));
    } else if (!steps && !chosen) {
        sayPassing(*this, tr("No mark is chosen."));
    }
    switch (action) {
        case TimelineAction::RemoveMark: removeMark(); break;
        case TimelineAction::NoteMark: writeNote(); break;
        case TimelineAction::NextMark: chooseMark(Direction::Forward); break;
        case TimelineAction::PreviousMark: chooseMark(Direction::Back); break;
        default: break;
    }
}

void TimelineWidget::actOnArea(TimelineAction action) {
    if (parts_->selection.empty()) {
        sayPassing(*this, nothingSelected());
    } else if (!extentOver(rowLayout(), spanOf(selection()), rowsOf(rowLayout(), selection()))) {
        sayPassing(*this, tr("The row of the selection is folded or hidden, or the selection takes no time."));
    }
    action == TimelineAction::AreaOfSelection ? areaOfSelection() : areaToSelection();
}

void TimelineWidget::actOnRows(TimelineAction action) {
    if (action == TimelineAction::ShowHidden) {
        const RowChoices before = parts_->scene.choices();
        changeRows([](RowChoices& choices) { showHidden(nullptr, choices); });
        if (before == parts_->scene.choices()) {
            sayPassing(*this, tr("Nothing is hidden."));
        }
        return;
    }
    const LayoutRow* const row = selectedRow();
    if (row == nullptr) {
        sayPassing(*this, std::holds_alternative<SliceSelection>(selection())
                              ? tr("The track of the selection is folded or hidden.")
                              : tr("No slice is selected: its track is meant."));
        return;
    }
    changeRows([key = row->key, action](RowChoices& choices) {
        action == TimelineAction::PinTrack ? togglePin(key, choices) : hideRow(key, choices);
    });
}

void TimelineWidget::toggleCounters() {
    const auto [runs, ranks] = ofCounters();
    const RowChoices& now = parts_->scene.choices();
    const bool shown = std::ranges::all_of(runs, [&](std::uint32_t run) { return showsCounters(run, now); }) &&
                       std::ranges::all_of(ranks, [&](const RankTrace* rank) { return showsCounters(*rank, now); });
    parts_->counters_asked = true;
    keepPlace([&, &of_runs = runs, &of_ranks = ranks] {
        changeRows([&](RowChoices& choices) {
            for (const std::uint32_t run : of_runs) {
                showCounters(run, !shown, choices);
            }
            for (const RankTrace* const rank : of_ranks) {
                showCounters(*rank, !shown, choices);
            }
        });
    });
}

TimelineWidget::OfCounters TimelineWidget::ofCounters() {
    constexpr std::size_t kFewRanks = 16;
    const TimelineModel& model = parts_->scene.model();
    if (const auto at = rankOf(selection())) {
        return {{}, {model.rank(at->first, at->second)->trace.get()}};
    }
    OfCounters of;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run) {
        const auto& ranks = model.runs()[run].ranks;
        if (ranks.size() > 1) {
            of.runs.push_back(run);  // of one rank they would be the rank's
        }
        for (std::size_t r = 0; r < ranks.size() && (ranks.size() == 1 || model.rankCount() <= kFewRanks); ++r) {
            of.ranks.push_back(ranks[r].trace.get());
        }
    }
    return of;
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
        changeRows([role](RowChoices& choices) { choices.grouped_by = role; });
    }
}

void TimelineWidget::bringRankIntoSight(std::uint32_t run, RankPosition rank) {
    leave();
    parts_->scene.showRank(run, rank);
    frameChanged();
}

void TimelineWidget::addState(const TimelineState& state) {
    RowChoices rows = parts_->scene.choices();
    addRows(state, parts_->scene.model(), rows);
    std::vector<TimeMark> marks = this->marks();
    std::ranges::copy_if(state.marks, std::back_inserter(marks), [this](const TimeMark& mark) { return isOpen(mark); });
    arrange(Arrangement{std::move(rows), std::move(marks)});
}

bool TimelineWidget::returning() const {
    return parts_->returning;
}

void TimelineWidget::drawPicture(QPainter& painter) {
    forgetPointer();
    const bool framed = std::exchange(parts_->framed, false);
    Overview& overview = parts_->overview;
    render(&painter, {}, {}, DrawWindowBackground);
    if (overview.isVisible()) {
        overview.render(&painter, overview.pos(), {}, DrawWindowBackground);
    }
    // What they say belongs to the picture; that they can be pressed does not.
    painter.setFont(font());
    painter.setPen(parts_->scene.theme().text_dim);
    for (const QPushButton* button : {static_cast<QPushButton*>(&parts_->order_button), &overview.button()}) {
        if (button->isVisible()) {
            const QRect place(button->mapTo(this, QPoint()), button->size());
            painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, button->text());
        }
    }
    parts_->framed = framed;
}

Arrangement TimelineWidget::arrangement() const {
    return {parts_->scene.choices(), marks()};
}

void TimelineWidget::keepArrangement() {
    parts_->arrangements.leave(arrangement());
}

void TimelineWidget::arrange(const std::optional<Arrangement>& wanted) {
    if (!wanted) {
        return;
    }
    parts_->note.hide();
    if (wanted->marks != marks()) {
        parts_->marks.set(wanted->marks);
        Q_EMIT marksChanged();
    }
    setRows(wanted->rows);
}

}  // namespace rankscope::ui
