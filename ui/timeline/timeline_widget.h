// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"
#include "ui/timeline/frame/overlays.h"
#include "ui/timeline/navigation/gestures.h"
#include "ui/timeline/selection/selection.h"
#include "ui/timeline/timeline_state.h"

class QMenu;

namespace rankscope::ui {

struct Frame;
struct AskedMarks;
struct FindingMarks;
class IndexStore;
class Marks;
class Overview;
class RowLayout;
class SliceHits;
class Viewport;
enum class AreaEdit : std::uint8_t;
struct AreaPoint;
struct LayoutRow;
struct ViewPlace;

/// All ranks of all open runs on one time axis. It passes events to objects that do the work, and paints: rows, frame
/// and hit test (TimelineScene), selection (CurrentSelection), area (MeasuredArea), marks (Marks), names (NameColumn,
/// HeaderDrag), pointer (Hover) and motion (Motion).
///
/// All times are on the axis, in nanoseconds from the base of each run; sizes and positions are logical pixels.
class TimelineWidget : public QWidget, public Spoken {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TimelineWidget)

  public:
    /// `indices` may be shared with other timelines that show the same runs; nullptr: it has its own.
    explicit TimelineWidget(const Theme& theme, QWidget* parent = nullptr,
                            std::shared_ptr<IndexStore> indices = nullptr);
    ~TimelineWidget() override;

    /// Shows `runs`. While a run is still loading, its facts are empty or cover fewer ranks than the run has; it is set
    /// again when more is known, and view, folds and selection stay if they still make sense.
    void setRuns(const std::vector<std::shared_ptr<const AnalysedRun>>& runs);
    /// Sets the colours and the text size.
    void setTheme(const Theme& theme);

    /// The selection; std::monostate for nothing.
    [[nodiscard]] const Selection& selection() const;
    /// The time of a selection on the axis; empty at zero for nothing.
    [[nodiscard]] TimeSpan spanOf(const Selection& selection) const;
    /// The selection in words, for the clipboard: its name, then the lines of its tooltip; empty for nothing.
    [[nodiscard]] QStringList selectionWords() const;
    /// The time of the marked area, else of the selection, on the axis; empty for nothing.
    [[nodiscard]] TimeSpan markedSpan() const;
    /// Selects without moving the view and without emitting selectionChanged().
    void select(const Selection& selection);
    /// Selects, unfolds, scrolls and pans so that it is in view at a readable size.
    void reveal(const Selection& selection);
    /// The same with its surroundings: a span on the axis.
    void reveal(const Selection& selection, const TimeSpan& around);
    /// The width of the column of names as set by the user, in logical pixels at the usual text size; 0: the default.
    [[nodiscard]] int namesWidth() const;
    /// Sets that width, as far as there is room; namesWidthChanged() is not emitted.
    void setNamesWidth(int width);
    /// Scrolls the row of the selection into view; the visible time stays.
    void keepSelectionInSight();
    /// `F`: the selection, or a newer area, fills 80 % of the width; without both, the whole run.
    void fitSelection();
    /// Shows the whole time.
    void fitAll();
    /// Shows a span of the axis, as far as there is content.
    void showWindow(const TimeSpan& window);
    /// Shows a span of the axis with a rank in view, at a readable size.
    void showSpan(std::uint32_t run, RankPosition rank, const TimeSpan& span);
    /// Shows a step of a rank at 80 % of the width, with the rank in view; does nothing if there is no such step.
    void showStep(std::uint32_t run, RankPosition rank, RankStepPosition step);
    /// Shows a span of the axis from edge to edge, with a rank in focus and its header in view. `travel`: moves there
    /// as jumps do, so that the user can go back.
    void showWhole(std::uint32_t run, RankPosition rank, const TimeSpan& span, bool travel);
    /// Marks the places of a finding, instead of the previous one; empty marks nothing.
    void setFindingMarks(FindingMarks marks);
    [[nodiscard]] const FindingMarks& findingMarks() const;
    /// Marks the name of a rank, as if the keyboard were there, until something is selected.
    void markRank(std::uint32_t run, RankPosition rank);
    /// Shows the window of another timeline, even if there is nothing here.
    void followWindow(const TimeSpan& window);
    /// Does what a key would do, for menus and the palette. Its selection is reported by selectionChanged().
    void trigger(TimelineAction action);

    /// Leaves all keys except held keys and Esc to the window's shortcuts, which the user can change.
    void leaveKeysToShortcuts();

    /// Scrolls to a rank by its number in the files: of the selection's run, else of the first run that has it. False
    /// if none has it.
    bool showRank(RankNumber number);
    using NamedTrack = ui::NamedTrack;
    /// All tracks that have slices, shown or not, from top to bottom.
    [[nodiscard]] std::vector<NamedTrack> tracks() const;
    /// Scrolls a track into view, and selects its slice nearest to the middle of the view.
    void showTrack(const NamedTrack& track);
    /// Pins a track to the top, or unpins it.
    void pinTrack(const NamedTrack& track);
    /// For screen readers: the selection, the mark and the view, and each row.
    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override;
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;
    /// The current row of the keyboard in the column of names, or nullptr.
    [[nodiscard]] const LayoutRow* namedRow() const;
    /// The other widgets that take the keyboard focus, in reading order.
    [[nodiscard]] std::vector<QWidget*> controls();
    /// The overview above the tracks.
    [[nodiscard]] Overview& overview();
    /// Shows the overview if there is room for it, or hides it.
    void setOverviewVisible(bool visible);
    /// The default height of the overview; 0 if there is nothing to show in it.
    [[nodiscard]] int overviewHeight() const;
    /// Sets its least height if it is shown, so that the rows of two timelines begin side by side; 0: the default.
    void setLeastOverview(int height);
    /// Marks the slices that a search found on their tracks; nullptr for none.
    void setHits(std::shared_ptr<const SliceHits> hits);
    /// Marks what an answer to a question names; nullptr for nothing. It refers to the runs that are shown.
    void setAskedMarks(std::shared_ptr<const AskedMarks> marks);
    [[nodiscard]] const std::shared_ptr<const AskedMarks>& askedMarks() const;
    /// The user's area, or nothing.
    [[nodiscard]] std::optional<AreaSelection> area() const;
    /// The marks in order of time.
    [[nodiscard]] const std::vector<TimeMark>& marks() const;
    /// The state for a session.
    [[nodiscard]] TimelineState state() const;
    /// Restores the state of a session; parts about missing rows are ignored.
    void setState(const TimelineState& state);
    /// Whether selectionChanged() announces the selection of a place to which the user goes back or forward.
    [[nodiscard]] bool returning() const;
    /// Draws the content for a saved picture, without what belongs to the pointer and the keyboard.
    void drawPicture(QPainter& painter);
    /// Adds the saved rows and marks of a run to the current ones.
    void addState(const TimelineState& state);
    /// The step of the selection, else the one in the middle of the view: the step whose critical path is shown.
    [[nodiscard]] std::optional<StepSelection> stepInView() const;
    /// If no row of the critical path is in view, scrolls to the rank with most of it, as soon as it is known.
    void bringPathIntoSight();
    /// The overlays on the slices.
    [[nodiscard]] const OverlaySet& overlays() const;
    /// Shows or hides one of them.
    void setOverlay(Overlay overlay, bool shown);

    /// The order of the ranks of each run.
    [[nodiscard]] RankOrder rankOrder() const;
    /// Puts the ranks of each run in another order.
    void setRankOrder(RankOrder order);
    [[nodiscard]] static QString orderTitle(RankOrder order);  ///< for people: "By lateness"
    /// The dimensions of the grids of the open runs, in the order of Role.
    [[nodiscard]] std::vector<Role> dimensions() const;
    /// The dimension whose places are headings over the ranks, or nothing.
    [[nodiscard]] std::optional<Role> groupedBy() const;
    /// Puts the ranks of each run whose grid has this dimension under headings, one per place in it; nothing: no
    /// headings.
    void setGroupedBy(std::optional<Role> role);
    /// Scrolls the header of a rank into view; the time and the selection stay.
    void bringRankIntoSight(std::uint32_t run, RankPosition rank);
    /// Whether ranks that are alike share a row, from sixteen ranks on.
    [[nodiscard]] bool alikeFolded() const;
    /// Folds such ranks into one row, or shows each.
    void setAlikeFolded(bool folded);

    /// Whether only the rank of the selection shows its host threads, and all others one host row. Rows are then as low
    /// as needed for up to eight ranks to be in view. False by default.
    [[nodiscard]] bool oneRankUnfolded() const;
    /// Sets that. The user's folds do not change.
    void setOneRankUnfolded(bool one_rank);

    /// Waits for all indices and finishes motion: for screenshots and tests.
    void settle();
    /// The visible time.
    [[nodiscard]] const Viewport& viewport() const;
    /// All rows, visible or not.
    [[nodiscard]] const RowLayout& rowLayout() const;
    /// The current frame.
    [[nodiscard]] const Frame& frame();
    /// Where the frame is in the widget, in logical pixels.
    [[nodiscard]] QRect tracksArea() const;

  Q_SIGNALS:
    /// The user has selected something here.
    void selectionChanged(const rankscope::ui::Selection& selection);
    /// The user has changed the width of the column of names.
    void namesWidthChanged(int width);
    /// The user has made, edited or removed a mark.
    void marksChanged();
    /// The default height of the overview has changed.
    void overviewHeightChanged();
    /// The user has changed the order of the rows, or which of them are shown.
    void rowsChanged();
    /// The visible time has changed, for any reason.
    void windowChanged(const rankscope::TimeSpan& window);
    /// The step in view has changed, for any reason.
    void stepInViewChanged(const std::optional<rankscope::ui::StepSelection>& step);
    /// The user has opened the menu of a slice: receivers add entries to it before this returns. `work` is its class;
    /// None for host work, or while that is not known.
    void sliceMenuAsked(QMenu* menu, const rankscope::RankTrace* rank, rankscope::SliceRef slice,
                        rankscope::WorkClass work);
    /// The user draws an area, live, or clears it.
    void areaChanged(const std::optional<rankscope::ui::AreaSelection>& area);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    struct Parts;

    void connectParts();
    /// Gives the overview, the scroll bar, the button and the tracks their places.
    void placeParts();
    void placeOrderButton();
    void showModel();
    /// The frame will change: updates the scroll bar and everything that depends on the pointer.
    void frameChanged();
    /// Repaints everything except the children: the scroll bar and the button cost more than the names.
    void refresh();
    void goTo(const std::optional<ViewPlace>& place);
    void zoomOrPan(TimelineAction action);

    /// Selects without a signal.
    void take(const Selection& wanted);
    /// Selects for the user.
    void choose(const Selection& wanted);
    /// Selects for the user and scrolls it into view; does nothing for nothing.
    void go(const Selection& wanted);
    /// Follows a link of the selection; if there is none, the window says why.
    void followLink(Direction direction);
    /// Goes to the next slice; without a selection, begins in view.
    void goToSlice(Direction direction);
    void goToGap(Direction direction);
    void goToRow(Direction direction);
    /// Selects the first slice in view without scrolling; false if there is none.
    bool beginInSight();
    /// Runs a change that lays the rows out again: the top row stays at the top, and the selection in view.
    void keepPlace(const std::function<void()>& change);
    /// Goes back or forward among the places, or among changes of rows and marks; says if there is nothing.
    void goInHistory(TimelineAction action);
    /// The actions on marks; says if there is no mark for them.
    void actOnMarks(TimelineAction action);
    /// Makes the area from the selection; says if nothing is selected.
    void actOnArea(TimelineAction action);
    /// The actions on the row of the selection, and on hidden rows.
    void actOnRows(TimelineAction action);
    void turnLink(Direction direction);
    void goToName(Direction direction);
    /// The actions on the row that is chosen by its name, and on the column of names.
    void actOnNames(TimelineAction action);
    /// Makes the column of names wider by `pixels` logical pixels.
    void widenNames(int pixels);
    void clear();

    /// The rows have changed.
    void showRows();
    /// Requests the counters that are shown, and drops those that no longer are.
    void wantCounters();
    /// Finds the step in view, and starts computing its critical path, if that overlay is on.
    void wantPath();
    /// Shows or hides the counters of the selection.
    void toggleCounters();
    void fold(const LayoutRow* row);
    void foldOrSayWhy(const LayoutRow* row);
    /// The entries of a row's menu, and what the mouse does with its name.
    void addRowEntries(QMenu& menu, const LayoutRow& row);
    /// The row of the selected slice's track, or nullptr.
    [[nodiscard]] const LayoutRow* selectedRow() const;

    /// The area has changed: announces it.
    void areaEdited();
    void clearArea();
    void areaOfSelection();
    void areaToSelection();
    void dragArea(Qt::KeyboardModifiers modifiers);
    /// The point under a global position; the time snaps to the edge of a slice nearby unless Alt is held.
    [[nodiscard]] AreaPoint areaPointUnder(const QPoint& global, Qt::KeyboardModifiers modifiers);
    [[nodiscard]] AreaEdit areaEdgeAt(const QPointF& at) const;

    /// Changes the marks, undoable.
    void changeMarks(const std::function<void(Marks&)>& change);
    void addMark(bool kept);
    /// Whether the rank whose clock it follows is open.
    [[nodiscard]] bool isOpen(const TimeMark& mark) const;
    void removeMark();
    void writeNote();
    void chooseMark(Direction direction);
    /// A click in the ruler: chooses the mark whose flag is there, edits its note if it is chosen already, or adds a
    /// mark if there is room for flags and none is there; false outside the ruler.
    bool clickRuler(const QPointF& at);
    [[nodiscard]] bool inRuler(const QPointF& at) const;
    /// Whether a click at a point adds a flag there.
    [[nodiscard]] bool wouldFlag(const QPointF& at) const;

    void hoverAt(const QPointF& at);
    void forgetPointer();
    void clickAt(const QPointF& at, Qt::KeyboardModifiers modifiers);
    /// The subject of a double click at a position in the widget.
    [[nodiscard]] Selection doubleClicked(const QPointF& at);
    void dragBy(const QPoint& way, Qt::KeyboardModifiers modifiers);
    void dragHeader(const QPointF& at);
    /// Whether a press at a position in the widget would grab the edge of the column of names.
    [[nodiscard]] bool overColumnEdge(const QPointF& at) const;
    /// The width of the column of names, in logical pixels.
    [[nodiscard]] int sideWidth() const;
    [[nodiscard]] Qt::CursorShape cursorAt(const QPointF& at) const;
    /// The note and the time of the mark whose flag is at a position in the widget, or the folders of the run whose
    /// name is there; empty otherwise.
    [[nodiscard]] QString tipAt(const QPoint& pos) const;
    /// A position in the widget, relative to the top left corner of the tracks.
    [[nodiscard]] QPointF inTracks(const QPointF& at) const { return at - QPointF(tracksArea().topLeft()); }
    /// A height in the tracks, from the top of all rows.
    [[nodiscard]] int inRows(double y) const;
    /// Presses or releases a key that moves the view while it is held; false for other keys.
    bool hold(TimelineAction action, bool down);
    /// The action of a key that the widget handles itself.
    [[nodiscard]] std::optional<TimelineAction> ownAction(const QKeyEvent& event) const;

    void paintAll(QPainter& painter);
    void paintTracks(QPainter& painter, const QRect& tracks, bool as_shapes);
    void paintHeaders(QPainter& painter, const QRect& tracks, bool as_shapes);
    void paintTimes(QPainter& painter, const QRect& tracks);
    void paintChosen(QPainter& painter, const QRect& tracks);
    /// Paints what an answer marks.
    void paintAsked(QPainter& painter, const QRect& tracks, const AskedMarks& marks);
    /// Paints the area, or the range of which one end is chosen.
    void paintMarkedTime(QPainter& painter, const QRect& tracks);

    std::unique_ptr<Parts> parts_;
};

}  // namespace rankscope::ui
