// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline does for commands and keys, and how it is undone.
#include <algorithm>
#include <utility>

#include "ui/theme/notice.h"
#include "ui/timeline/navigation/navigation.h"
#include "ui/timeline/navigation/no_way.h"
#include "ui/timeline/rows/kept_place.h"
#include "ui/timeline/rows/row_menu.h"
#include "ui/timeline/timeline_parts.h"

namespace rankscope::ui {
namespace {

constexpr double kZoomPerAction = 0.35;
constexpr double kPanPerAction = 0.2;  // share of the width
constexpr int kNamesStep = 24;         // logical pixels

QString nothingSelected() {
    return TimelineWidget::tr("Nothing is selected.");
}

}  // namespace

void TimelineWidget::zoomOrPan(TimelineAction action) {
    const int wide = viewport().width();
    const double x = parts_->hover.focusX(wide);
    switch (action) {
        case TimelineAction::ZoomIn: parts_->view.zoomBy(kZoomPerAction, x); break;
        case TimelineAction::ZoomOut: parts_->view.zoomBy(-kZoomPerAction, x); break;
        case TimelineAction::PanLeft: parts_->view.panBy(-kPanPerAction * wide); break;
        case TimelineAction::PanRight: parts_->view.panBy(kPanPerAction * wide); break;
        default: break;
    }
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
                parts_->named = RowAnchor{row->key, row->pinned, 0};  // the name itself may be folded too
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
        sayPassing(*this, parts_->selection.empty() && !parts_->named ? tr("The selection cannot be folded.")
                                                                      : tr("Nothing to fold here."));
    }
    fold(row);
}

void TimelineWidget::followLink(Direction direction) {
    const Selection wanted = parts_->selection.alongLink(parts_->scene.model(), direction);
    if (wanted.index() == 0) {
        sayPassing(*this, whyNoLink(parts_->scene.model(), selection(), direction));
    }
    go(wanted);
}

void TimelineWidget::turnLink(Direction direction) {
    if (waysFrom(parts_->selection.links(), selection(), direction).size() < 2) {
        sayPassing(*this, parts_->selection.empty()         ? nothingSelected()
                          : direction == Direction::Forward ? tr("No other link forward from this.")
                                                            : tr("No other link back from this."));
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

// The selection starts with what is in view.
bool TimelineWidget::beginInSight() {
    TimelineScene& scene = parts_->scene;
    const TimeSpan seen = viewport().window();
    const Selection first = firstSliceInSight(scene.model(), scene.layout(), scene.rows(), tracksArea().height(), seen);
    if (first.index() == 0) {
        return false;
    }
    const int scroll = scene.scroll();  // a panel may unfold below, and reveal() stays away from the edges
    parts_->view.leave(selection());
    choose(first);
    const TimeSpan readable = scene.reveal(first);
    scene.setScroll(scroll);
    const TimeSpan span = spanOf(first);
    const bool whole = span.start_ns >= seen.start_ns && span.end_ns <= seen.end_ns;
    parts_->view.travelTo(whole ? readable : seen);
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
        sayPassing(*this, whyNoRow(rowLayout(), selection(), direction));
    }
    go(wanted);
}

void TimelineWidget::keepPlace(const std::function<void()>& change) {
    const KeptPlace place(parts_->scene, selection());
    change();
    place.restore(parts_->scene);
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
        const std::optional<ViewPlace> place = back ? p.view.back(selection()) : p.view.forward(selection());
        if (!place) {
            sayPassing(*this, back ? tr("No place to go back to.") : tr("No place to go forward to."));
        }
        goTo(place);
        return;
    }
    const bool undo = action == TimelineAction::Undo;
    if (!(undo ? p.edits.undo() : p.edits.redo())) {
        sayPassing(*this, undo ? tr("Nothing to undo.") : tr("Nothing to redo."));
    }
}

void TimelineWidget::actOnMarks(TimelineAction action) {
    const bool chosen = parts_->marks.chosen().has_value();
    const bool steps = action == TimelineAction::NextMark || action == TimelineAction::PreviousMark;
    if (marks().empty()) {
        sayPassing(*this, tr("No marks."));
    } else if (!steps && !chosen) {
        sayPassing(*this, tr("No mark is selected."));
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
        parts_->edits.changeRows([](RowChoices& choices) { showHidden(nullptr, choices); });
        if (before == parts_->scene.choices()) {
            sayPassing(*this, tr("Nothing is hidden."));
        }
        return;
    }
    const LayoutRow* const row = selectedRow();
    if (row == nullptr) {
        sayPassing(*this, std::holds_alternative<SliceSelection>(selection())
                              ? tr("The track of the selection is folded or hidden.")
                              : tr("Select a slice on the track first."));
        return;
    }
    parts_->edits.changeRows([key = row->key, action](RowChoices& choices) {
        action == TimelineAction::PinTrack ? togglePin(key, choices) : hideRow(key, choices);
    });
}

void TimelineWidget::drawPicture(QPainter& painter) {
    forgetPointer();
    const bool framed = std::exchange(parts_->framed, false);
    Overview& overview = parts_->overview;
    render(&painter, {}, {}, DrawWindowBackground);
    if (overview.isVisible()) {
        overview.render(&painter, overview.pos(), {}, DrawWindowBackground);
    }
    // Their text belongs to the picture; their buttons do not.
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

}  // namespace rankscope::ui
