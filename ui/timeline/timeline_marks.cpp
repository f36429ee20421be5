// SPDX-License-Identifier: GPL-3.0-or-later
// Marks on the timeline: made, named and removed; and what a session keeps of the timeline.
#include <QLineEdit>

#include "ui/timeline/label_text.h"
#include "ui/timeline/metrics.h"
#include "ui/timeline/timeline_impl.h"

namespace rankscope::ui {
namespace {

constexpr int kLongestNote = 200;

}  // namespace

// Of what is selected, else of the area, else at the pointer.
void TimelineWidget::Impl::addMark(bool kept) {
    TimeSpan span = scene.model().spanOf(selected);
    if (selected.index() == 0) {
        const TimeNs here = scene.viewport().timeAt(pointer.x() >= 0 ? pointer.x() : scene.viewport().width() / 2.0);
        span = area ? area->span() : TimeSpan{here, here};
    }
    chosen_mark = marks.add(span, kept);
    if (kept) {
        editMark(*chosen_mark);
    }
    Q_EMIT self->marksChanged();
    refresh();
}

void TimelineWidget::Impl::editMark(std::size_t mark) {
    const QRect tracks = self->tracksArea();
    const EdgeSizes sizes = edgeSizes(scene.theme());
    const double x = std::clamp(scene.viewport().xAt(marks.all()[mark].span.start_ns), 0.0,
                                std::max(0.0, static_cast<double>(tracks.width() - sizes.editor)));
    note.setGeometry(tracks.left() + static_cast<int>(x), tracks.top() - sizes.ruler + 3, sizes.editor,
                     sizes.ruler - 6);
    note.setMaxLength(kLongestNote);
    note.setText(marks.all()[mark].text);
    note.setPlaceholderText(TimelineWidget::tr("Note, then Enter"));
    note.selectAll();
    note.show();
    note.setFocus();
}

void TimelineWidget::Impl::finishNote() {
    if (!note.isVisible()) {
        return;  // hiding it takes its focus, and comes back here
    }
    const QString text = note.text().trimmed();
    note.hide();
    self->setFocus();
    if (chosen_mark && *chosen_mark < marks.all().size()) {
        marks.setText(*chosen_mark, text);
        Q_EMIT self->marksChanged();
    }
    refresh();
}

void TimelineWidget::Impl::removeMark() {
    if (chosen_mark && *chosen_mark < marks.all().size()) {
        marks.remove(*chosen_mark);
        chosen_mark.reset();
        Q_EMIT self->marksChanged();
        refresh();
    }
}

void TimelineWidget::Impl::noteMark() {
    if (chosen_mark && *chosen_mark < marks.all().size()) {
        editMark(*chosen_mark);
    }
}

// Round the end; the first is the first in sight, or else of all.
void TimelineWidget::Impl::chooseMark(Direction direction) {
    const auto& all = marks.all();
    if (all.empty()) {
        return;
    }
    const bool on = direction == Direction::Forward;
    if (chosen_mark && *chosen_mark < all.size()) {
        chosen_mark = (*chosen_mark + (on ? 1 : all.size() - 1)) % all.size();
    } else {
        const TimeNs from = scene.viewport().window().start_ns;
        const auto seen = std::ranges::find_if(all, [&](const Mark& m) { return m.span.start_ns >= from; });
        chosen_mark = seen != all.end() ? static_cast<std::size_t>(seen - all.begin()) : 0;
    }
    const TimeSpan window = scene.viewport().window();
    const TimeSpan span = all[*chosen_mark].span;
    if (span.start_ns < window.start_ns || span.end_ns > window.end_ns) {
        const TimeNs start = span.start_ns + span.length() / 2 - window.length() / 2;
        moveTo({start, start + window.length()});
    }
    refresh();
}

bool TimelineWidget::Impl::inRuler(const QPointF& at) const {
    return at.x() >= 0 && at.y() < 0 && at.y() >= -edgeSizes(scene.theme()).ruler;
}

bool TimelineWidget::Impl::wouldFlag(const QPointF& at) const {
    return inRuler(at) && at.y() >= -edgeSizes(scene.theme()).flags && !scene.model().runs().empty() &&
           !marks.at(at.x(), scene.viewport());
}

bool TimelineWidget::Impl::clickRuler(const QPointF& at) {
    if (!inRuler(at)) {
        return false;
    }
    if (wouldFlag(at)) {
        const TimeNs here = scene.viewport().timeAt(at.x());
        chosen_mark = marks.add({here, here}, true);
        Q_EMIT self->marksChanged();
        refresh();
        return true;
    }
    const auto mark = marks.at(at.x(), scene.viewport());
    if (mark && mark == chosen_mark) {
        editMark(*mark);
    }
    chosen_mark = mark;
    refresh();
    return true;
}

const std::vector<Mark>& TimelineWidget::marks() const {
    return impl_->marks.all();
}

TimelineState TimelineWidget::state() const {
    const TimelineScene& scene = impl_->scene;
    TimelineState state;
    state.window = scene.viewport().window();
    state.scroll = scene.scroll();
    state.overlays = scene.overlays();
    state.overview = impl_->overview_wanted;
    state.measure = impl_->overview.measure();
    state.marks = impl_->marks.all();
    saveRows(scene.choices(), scene.model(), state);
    if (impl_->area) {
        state.area = markedArea(scene.model(), *impl_->area);
    }
    std::erase_if(state.marks, [](const Mark& m) { return !m.kept; });
    return state;
}

void TimelineWidget::setState(const TimelineState& state) {
    TimelineScene& scene = impl_->scene;
    impl_->motion.stop();
    scene.setOverlays(state.overlays);
    scene.setChoices(rowChoicesOf(state, scene.model()));
    if (!state.window.empty()) {
        scene.changeView().setWindow(state.window);
    }
    impl_->marks.set(state.marks);
    impl_->chosen_mark.reset();
    impl_->overview.setMeasure(state.measure);
    impl_->overview.setOrder(scene.choices().rank_order);
    impl_->overview_wanted = state.overview;
    impl_->place();
    scene.setScroll(state.scroll);
    impl_->setArea(state.area ? dragOf(scene.model(), *state.area) : std::nullopt);
    impl_->changed();
}

}  // namespace rankscope::ui
