// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline without a mouse: from slice to slice, from row to row, along links, and what is folded on the way.
#include "ui/timeline/navigation.h"
#include "ui/timeline/timeline_impl.h"
#include "ui/timeline/track_lists.h"

namespace rankscope::ui {

void TimelineWidget::Impl::goToSlice(Direction direction) {
    if (std::holds_alternative<SliceSelection>(selected)) {
        go(neighbourSlice(scene.model(), selected, direction));
    } else {
        goToRow(direction);  // somewhere one has to begin
    }
}

void TimelineWidget::Impl::goToRow(Direction direction) {
    const TimeSpan seen = scene.viewport().window();
    const TimeSpan span = scene.model().spanOf(selected);
    const TimeNs at = selected.index() != 0 ? span.start_ns : seen.start_ns + seen.length() / 2;
    go(sliceOfNextRow(scene.model(), scene.layout(), selected, at, scene.scroll(), direction));
}

void TimelineWidget::Impl::goAlong(Direction direction) {
    const std::vector<std::size_t> ways = waysFrom(links, selected, direction);
    if (ways.empty()) {
        go(linkedSlice(scene.model(), selected, direction));  // of an operator, what is launched inside
        return;
    }
    const bool on = direction == Direction::Forward;
    const Link& link = links[ways[(on ? way_on : way_back) % ways.size()]];
    go(on ? link.to : link.from);
}

void TimelineWidget::Impl::turnTo(Direction direction) {
    ++(direction == Direction::Forward ? way_on : way_back);
    showWays();
    refresh();
}

void TimelineWidget::Impl::showWays() {
    for (Link& link : links) {
        link.next = false;
    }
    for (const Direction direction : {Direction::Forward, Direction::Back}) {
        const std::vector<std::size_t> ways = waysFrom(links, selected, direction);
        if (ways.size() > 1) {
            links[ways[(direction == Direction::Forward ? way_on : way_back) % ways.size()]].next = true;
        }
    }
}

// The selection's track where it has rows to fold, else the group that it stands in, else its rank.
void TimelineWidget::Impl::foldTrack() {
    const auto* slice = std::get_if<SliceSelection>(&selected);
    if (slice == nullptr) {
        foldRank();
        return;
    }
    const RankTrace& trace = *scene.model().rank(slice->run, slice->rank)->trace;
    const RowLayout& layout = scene.layout();
    const LayoutRow* track = layout.find(slice->run, slice->rank, slice->slice.track);
    const LayoutRow* group = layout.find(listOf(trace, slice->slice.track));
    const LayoutRow* row = track != nullptr && track->foldable && track->all_rows > 1 ? track : group;
    if (row == nullptr || row->kind == RowKind::Rank) {
        foldRank();
        return;
    }
    changeRows([row = *row](RowChoices& choices) { toggleFold(row, choices); });
}

void TimelineWidget::Impl::foldRank() {
    const auto fold = [this](const auto& s) {
        if constexpr (requires { s.rank; }) {
            if (const LayoutRow* row = scene.layout().standIn(s.run, s.rank, TrackId())) {
                changeRows([row = *row](RowChoices& choices) { toggleFold(row, choices); });
            }
        }
    };
    std::visit(fold, selected);
}

std::vector<TimelineWidget::NamedTrack> TimelineWidget::tracks() const {
    std::vector<NamedTrack> named;
    const auto runs = impl_->scene.model().runs();
    for (std::uint32_t run = 0; run < runs.size(); ++run) {
        const QString name = QString::fromStdString(runs[run].run->run->name);
        for (std::uint32_t rank = 0; rank < runs[run].ranks.size(); ++rank) {
            const RankView& view = runs[run].ranks[rank];
            const QString of = rankTitle(*view.trace, rank) + QStringLiteral(" \u00b7 ");
            const TrackLists lists = trackLists(view, impl_->scene.choices());
            for (const std::vector<TrackId>* list : {&lists.streams, &lists.threads, &lists.others}) {
                for (const TrackId track : *list) {
                    named.push_back({run, rank, track, of + trackTitle(*view.trace, track), name});
                }
            }
        }
    }
    return named;
}

void TimelineWidget::showTrack(const NamedTrack& track) {
    if (impl_->scene.model().rank(track.run, track.rank) == nullptr) {
        return;  // it was closed meanwhile
    }
    const TimeSpan seen = impl_->scene.viewport().window();
    const TimeNs middle = seen.start_ns + seen.length() / 2;
    impl_->choose(sliceNear(impl_->scene.model(), track.run, track.rank, track.track, middle));
    (void)impl_->scene.reveal(impl_->selected);  // the time in sight stays
    impl_->changed();
}

void TimelineWidget::pinTrack(const NamedTrack& track) {
    if (const RankView* rank = impl_->scene.model().rank(track.run, track.rank)) {
        const RowKey key = keyOf(*rank->trace, track.track);
        impl_->changeRows([key](RowChoices& choices) { togglePin(key, choices); });
    }
}

}  // namespace rankscope::ui
