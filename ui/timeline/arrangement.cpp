// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/arrangement.h"

#include <utility>

#include "ui/timeline/selection/marks.h"
#include "ui/timeline/timeline_scene.h"

namespace rankscope::ui {

void ArrangementEdits::changeRows(const std::function<void(RowChoices&)>& change) {
    RowChoices choices = scene_.choices();
    change(choices);
    if (choices != scene_.choices()) {
        keep();
        setRows(std::move(choices));
    }
}

void ArrangementEdits::setRows(RowChoices choices) {
    scene_.setChoices(std::move(choices));
    Q_EMIT rowsChanged();
}

void ArrangementEdits::changeMarks(const std::function<void(Marks&)>& change) {
    const Arrangement before = now();
    change(marks_);
    if (marks_.all() != before.marks) {
        history_.leave(before);
        Q_EMIT marksChanged();
    }
}

void ArrangementEdits::keep() {
    history_.leave(now());
}

void ArrangementEdits::set(const Arrangement& wanted) {
    Q_EMIT replacing();
    if (wanted.marks != marks_.all()) {
        marks_.set(wanted.marks);
        Q_EMIT marksChanged();
    }
    setRows(wanted.rows);
}

bool ArrangementEdits::undo() {
    const auto wanted = history_.back(now());
    if (wanted) {
        set(*wanted);
    }
    return wanted.has_value();
}

bool ArrangementEdits::redo() {
    const auto wanted = history_.forward(now());
    if (wanted) {
        set(*wanted);
    }
    return wanted.has_value();
}

Arrangement ArrangementEdits::now() const {
    return {scene_.choices(), marks_.all()};
}

}  // namespace rankscope::ui
