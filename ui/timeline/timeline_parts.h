// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollBar>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ui/timeline/arrangement.h"
#include "ui/timeline/index_store.h"
#include "ui/timeline/navigation/gestures.h"
#include "ui/timeline/navigation/hover.h"
#include "ui/timeline/navigation/view_motion.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/paint/finding_painter.h"
#include "ui/timeline/rows/column_edge.h"
#include "ui/timeline/rows/header_drag.h"
#include "ui/timeline/rows/name_column.h"
#include "ui/timeline/rows/rank_order_button.h"
#include "ui/timeline/rows/row_choices.h"
#include "ui/timeline/selection/asked_marks.h"
#include "ui/timeline/selection/current_selection.h"
#include "ui/timeline/selection/finding_marks.h"
#include "ui/timeline/selection/marks.h"
#include "ui/timeline/selection/measured_area.h"
#include "ui/timeline/selection/note_field.h"
#include "ui/timeline/selection/slice_hits.h"
#include "ui/timeline/selection/step_path.h"
#include "ui/timeline/timeline_scene.h"
#include "ui/timeline/timeline_state.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {

/// Where the places of an answer are in a frame: to find them takes O(rows of the answer).
struct AskedRects {
    std::uint64_t frame = 0;  ///< the number of the frame; 0: of none
    std::vector<FindingMarkRects> all;
};

/// The objects that a timeline widget connects. None of them knows another one; the widget passes in what one needs
/// from another.
struct TimelineWidget::Parts {
    Parts(TimelineWidget* widget, const Theme& theme, std::shared_ptr<IndexStore> shared)
        : scene(theme),
          store(std::move(shared)),
          overview(theme, widget),
          bar(Qt::Vertical, widget),
          order_button(widget),
          note(widget) {}

    TimelineScene scene;
    NameColumn names;
    std::shared_ptr<IndexStore> store;
    CurrentSelection selection;
    StepPath path;
    MeasuredArea area;
    Marks marks;
    FindingMarks finding;            // the finding whose places are marked
    std::optional<RowAnchor> named;  // the current row of the keyboard in the column of names
    HeaderDrag header;
    ColumnEdge edge;
    Hover hover;
    DragTracker drag;
    ViewMotion view{scene};
    ArrangementEdits edits{scene, marks};
    std::shared_ptr<const SliceHits> hits;    // hits of the search
    std::shared_ptr<const AskedMarks> asked;  // what an answer marks
    AskedRects asked_rects;

    Overview overview;
    QScrollBar bar;
    RankOrderButton order_button;  // in the corner over the names
    NoteField note;                // field for the chosen mark

    Selection clicked;  // selected by the last click
    QPoint clicked_at;  // the position of that click in the widget
    std::optional<StepSelection> step_in_view;
    TimeSpan told_window;  // the last one that windowChanged announced
    bool overview_wanted = true;
    int least_overview = 0;        // logical pixels
    int told_overview_height = 0;  // the last one that overviewHeightChanged announced
    bool area_is_newer = false;    // the area is newer than the selection: F fits the newer one
    bool counters_wanted = false;
    bool counters_asked = false;  // the user asked for counters: the rows keep their place when these arrive
    bool only_held_keys = false;
    bool resizing = false;     // one drag changes row heights, which is one step of undo
    bool path_sought = false;  // the path is scrolled into view once it is there
    bool returning = false;    // the user is going back or forward
    bool framed = false;       // it has got the keyboard focus by Tab, and shows a focus frame
};

}  // namespace rankscope::ui
