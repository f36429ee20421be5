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

/// The user's changes of a timeline, which undo restores.
struct Arrangement {
    RowChoices rows;
    std::vector<TimeMark> marks;
    friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

/// Changes the rows of a scene and its marks, with undo and redo.
class ArrangementEdits : public QObject {
    Q_OBJECT

  public:
    /// Both must outlive this.
    ArrangementEdits(TimelineScene& scene, Marks& marks) : scene_(scene), marks_(marks) {}

    /// Changes the user's choices about the rows, undoable.
    void changeRows(const std::function<void(RowChoices&)>& change);
    /// The same in several steps that undo() reverts at once: call keep() before the first.
    void setRows(RowChoices choices);
    /// Changes the marks, undoable.
    void changeMarks(const std::function<void(Marks&)>& change);
    /// Saves the current state for undo(), before a change.
    void keep();
    /// Sets rows and marks, as undo() and redo() do.
    void set(const Arrangement& wanted);

    /// Reverts the last change; false if there is none.
    bool undo();
    /// Repeats what undo() reverted last; false if there is nothing.
    bool redo();
    /// Forgets all changes.
    void clear() { history_.clear(); }

  Q_SIGNALS:
    /// Rows and marks are about to be set together.
    void replacing();
    /// The rows of the scene have changed.
    void rowsChanged();
    /// The marks have changed.
    void marksChanged();

  private:
    [[nodiscard]] Arrangement now() const;

    TimelineScene& scene_;
    Marks& marks_;
    History<Arrangement> history_;
};

}  // namespace rankscope::ui
