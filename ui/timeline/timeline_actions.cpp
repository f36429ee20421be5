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
                fold(rowToFold(parts_->scene.model(), rowLayout(), selection()));
            } else if (const LayoutRow* row = rowToFold(rowLayout(), *named)) {
                parts_->named = RowAnchor{row->key, row->pinned, 0};  // the name itself may be folded away with it
                fold(row);
            }
            break;
        case TimelineAction::FoldRank: fold(rankRowToFold(rowLayout(), selection())); break;
        default: break;
    }
}

void TimelineWidget::followLink(Direction direction) {
    const Selection wanted = parts_->selection.alongLink(parts_->scene.model(), direction);
    NoticeBoard* const board = wanted.index() == 0 ? noticeBoardOf(*this) : nullptr;
    if (board != nullptr) {
        board->showPassing(whyNoWay(parts_->scene.model(), selection(), direction));
    }
    go(wanted);
}

void TimelineWidget::goToGap(Direction direction) {
    const Selection wanted = neighbourGap(parts_->scene.model(), selection(), viewport().window().start_ns, direction);
    NoticeBoard* const board = wanted.index() == 0 ? noticeBoardOf(*this) : nullptr;
    if (board != nullptr) {
        board->showPassing(whyNoGap(parts_->scene.model(), direction));
    }
    go(wanted);
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
        case TimelineAction::OtherLink: p.selection.chooseNextLink(Direction::Forward); break;
        case TimelineAction::OtherLinkBack: p.selection.chooseNextLink(Direction::Back); break;
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
        case TimelineAction::RemoveMark: removeMark(); return;
        case TimelineAction::NoteMark: writeNote(); return;
        case TimelineAction::NextMark: chooseMark(Direction::Forward); return;
        case TimelineAction::PreviousMark: chooseMark(Direction::Back); return;
        case TimelineAction::AreaOfSelection: areaOfSelection(); return;
        case TimelineAction::AreaToSelection: areaToSelection(); return;
        case TimelineAction::AreaOfAll:
            p.area.coverTime(p.scene.model().extent(), rowLayout(), rowsOf(rowLayout(), selection()));
            if (p.area.extent()) {
                areaEdited();
            }
            return;
        case TimelineAction::PinTrack:
        case TimelineAction::HideTrack:
            if (const LayoutRow* row = selectedRow()) {
                changeRows([key = row->key, action](RowChoices& choices) {
                    action == TimelineAction::PinTrack ? togglePin(key, choices) : hideRow(key, choices);
                });
            }
            return;
        case TimelineAction::Counters: toggleCounters(); return;
        case TimelineAction::ShowHidden: changeRows([](RowChoices& choices) { showHidden(nullptr, choices); }); return;
        case TimelineAction::GoBack: goTo(p.places.back(here())); return;
        case TimelineAction::GoForward: goTo(p.places.forward(here())); return;
        case TimelineAction::Undo: arrange(p.arrangements.back(arrangement())); return;
        case TimelineAction::Redo: arrange(p.arrangements.forward(arrangement())); return;
        case TimelineAction::Clear: clear(); return;
    }
    refresh();
}

void TimelineWidget::toggleCounters() {
    const auto [runs, ranks] = ofCounters();
    const RowChoices& now = parts_->scene.choices();
    const bool shown = std::ranges::all_of(runs, [&](std::uint32_t run) { return showsCounters(run, now); }) &&
                       std::ranges::all_of(ranks, [&](const RankTrace* rank) { return showsCounters(*rank, now); });
    changeRows([&, &of_runs = runs, &of_ranks = ranks](RowChoices& choices) {
        for (const std::uint32_t run : of_runs) {
            showCounters(run, !shown, choices);
        }
        for (const RankTrace* const rank : of_ranks) {
            showCounters(*rank, !shown, choices);
        }
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
