// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "ui/timeline/area.h"
#include "ui/timeline/head_drag.h"
#include "ui/timeline/links.h"
#include "ui/timeline/marks.h"
#include "ui/timeline/motion.h"
#include "ui/timeline/navigation.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/side_column.h"
#include "ui/timeline/slice_hits.h"
#include "ui/timeline/timeline_scene.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/timeline/tooltip.h"

class QKeyEvent;
class QMenu;
class QPainter;

namespace rankscope::ui {

/// What the widget holds; private to its source files.
struct TimelineWidget::Impl {
    Impl(TimelineWidget* widget, const Theme& theme, std::shared_ptr<IndexStore> shared)
        : self(widget),
          scene(theme),
          store(std::move(shared)),
          bar(Qt::Vertical, widget),
          order_button(widget),
          overview(theme, widget),
          note(widget) {}

    void changed();
    /// Has all painted again but what lies in the widget: the scroll bar and the button cost more than the names.
    void refresh();
    void animate();
    void tick();
    void moveTo(const TimeSpan& window);
    void choose(const Selection& wanted);
    /// Takes it as selected, without telling anyone.
    void take(const Selection& wanted);
    void go(const Selection& wanted);
    void hover(const QPointF& at);
    void clickAt(const QPointF& at, Qt::KeyboardModifiers modifiers);
    void dragBy(const QPoint& way, Qt::KeyboardModifiers modifiers);
    /// The time under a global position, at the edge of a slice where one is near and Alt is not held.
    [[nodiscard]] TimeNs timeUnder(const QPoint& global, Qt::KeyboardModifiers modifiers);
    void setArea(std::optional<AreaDrag> wanted);
    /// An edge of the area that lies at a point of the tracks.
    [[nodiscard]] AreaEdit areaEdgeAt(const QPointF& at) const;
    void areaOfSelection();
    void areaOfAll();
    void dragArea(Qt::KeyboardModifiers modifiers);
    void extendArea(TimeNs to);
    [[nodiscard]] RowAnchor rowUnder(const QPoint& global) const;
    [[nodiscard]] std::vector<const LayoutRow*> rowsOfSelection() const;
    [[nodiscard]] std::vector<const LayoutRow*> allRows() const;
    [[nodiscard]] Qt::CursorShape cursorAt(const QPointF& at) const;
    void makeOrderButton();
    void placeOrderButton();
    void pinSelected();
    void hideSelected();
    void changeRows(const std::function<void(RowChoices&)>& change);
    /// Presses, drags and lets go of a track's name; `at` counts from the upper left corner of the tracks.
    bool pressHead(const QPointF& at);
    void dragHead(const QPointF& at);
    /// True where it was a drag, and no click.
    bool dropHead();
    void fillRowMenu(QMenu& menu, const LayoutRow& row);
    /// The row of the selected slice's track, or nullptr.
    [[nodiscard]] const LayoutRow* selectedRow() const;
    void forgetPointer();
    /// Gives the overview, the scroll bar and the tracks their places.
    void place();
    void showModel();
    void addMark(bool kept);
    void editMark(std::size_t mark);
    void finishNote();
    void removeMark();
    void noteMark();
    void chooseMark(Direction direction);
    void goAlong(Direction direction);
    /// Takes the next one of several links on from the selection.
    void turnTo(Direction direction);
    /// Says of the links which is taken.
    void showWays();
    void goToSlice(Direction direction);
    void goToRow(Direction direction);
    void foldTrack();
    void foldRank();
    /// Chooses the mark whose flag is at a point of the ruler, writes its note if it is chosen, or keeps a mark where
    /// there is room for flags and none; false outside of the ruler.
    bool clickRuler(const QPointF& at);
    [[nodiscard]] bool inRuler(const QPointF& at) const;
    /// Whether a click at a point puts a flag there.
    [[nodiscard]] bool wouldFlag(const QPointF& at) const;
    void paint(QPainter& painter);
    void paintNames(QPainter& painter, const QRect& tracks, bool as_shapes);
    void paintTimes(QPainter& painter, const QRect& tracks);
    void paintChosen(QPainter& painter, const QRect& tracks);
    /// Presses or lets go of a key that moves the view for as long as it is held; false for other keys.
    bool hold(TimelineAction action, bool down);
    /// The action of a key that the widget handles itself.
    [[nodiscard]] std::optional<TimelineAction> ownAction(const QKeyEvent& event) const;
    [[nodiscard]] QPointF inTracks(const QPointF& at) const { return at - QPointF(self->tracksArea().topLeft()); }

    TimelineWidget* self;
    TimelineScene scene;
    SideColumn names;
    std::shared_ptr<IndexStore> store;
    Motion motion;
    QScrollBar bar;
    QPushButton order_button;  // in the corner over the names
    QTimer timer;
    QElapsedTimer clock;   // since the last frame of a motion
    QElapsedTimer uptime;  // of the widget
    DragTracker drag;
    Selection selected;
    std::vector<Link> links;  // of what is selected
    std::size_t way_on = 0;   // of the links on from it, where there are several; it is counted on round the end
    std::size_t way_back = 0;
    Hit hovered;  // points into the scene's frame: cleared with it
    Tip tip;
    TimeSpan told_window;                   // the last one that windowChanged told of
    std::shared_ptr<const SliceHits> hits;  // of the search
    bool only_held_keys = false;
    bool framed = false;      // it has the keyboard, by Tab: nothing else says so
    QPointF pointer{-1, -1};  // in the tracks; left of them over the names
    std::optional<AreaDrag> area;
    AreaEdit editing_area = AreaEdit::None;
    std::optional<HeadDrag> head;  // a track's name that is pressed
    Overview overview;
    bool overview_wanted = true;
    Marks marks;
    std::optional<std::size_t> chosen_mark;  // in marks
    QLineEdit note;                          // of the chosen mark, while it is written
};

}  // namespace rankscope::ui
