// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "ui/timeline/navigation/history.h"
#include "ui/timeline/rows/row_choices.h"
#include "ui/timeline/timeline_state.h"

namespace rankscope::ui {

class Marks;
class TimelineScene;

/// What the user made of a timeline: what undo gives back.
struct Arrangement {
    RowChoices rows;
    std::vector<TimeMark> marks;
    friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

/// Changes the rows of a scene and the marks on it, and takes that back.
class ArrangementEdits : public QObject {
    Q_OBJECT

  public:
    /// Both must outlive this.
    ArrangementEdits(TimelineScene& scene, Marks& marks) : scene_(scene), marks_(marks) {}

    /// Changes what the user chose about the rows, for undo() to take back.
    void changeRows(const std::function<void(RowChoices&)>& change);
    /// The same in several steps that undo() takes back at once: keep() before the first.
    void setRows(RowChoices choices);
    /// Changes the marks, for undo() to take back.
    void changeMarks(const std::function<void(Marks&)>& change);
    /// What is about to be changed is what undo() comes back to.
    void keep();
    /// Sets rows and marks, as undo() and redo() do.
    void set(const Arrangement& wanted);

    /// Takes the last change back; false where there is none.
    bool undo();
    /// Does again what undo() took back last; false where there is nothing.
    bool redo();
    /// Forgets all changes.
    void clear() { history_.clear(); }

  Q_SIGNALS:
    /// Rows and marks are about to be set at once.
    void replacing();
    /// The scene has other rows.
    void rowsChanged();
    /// The marks are others.
    void marksChanged();

  private:
    [[nodiscard]] Arrangement now() const;

    TimelineScene& scene_;
    Marks& marks_;
    History<Arrangement> history_;
};

}  // namespace rankscope::ui
