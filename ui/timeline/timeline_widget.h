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

/// All ranks of all open runs on one time axis. It wires events to objects that do the work, and paints: rows, frame
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

    /// Shows `runs`. While a run is still loading its facts are empty or cover fewer ranks than the run has; it is set
    /// again when more is known, and view, folds and selection stay where they still make sense.
    void setRuns(const std::vector<std::shared_ptr<const AnalysedRun>>& runs);
    /// Takes other colours and another size of text.
    void setTheme(const Theme& theme);

    /// What is selected; std::monostate for nothing.
    [[nodiscard]] const Selection& selection() const;
    /// Where something is on the axis; empty at zero for nothing.
    [[nodiscard]] TimeSpan spanOf(const Selection& selection) const;
    /// Of the selection, for the clipboard: its name, then what its tooltip says of it, a line each; empty for nothing.
    [[nodiscard]] QStringList selectionWords() const;
    /// Where the marked area, else the selection, is on the axis; empty for nothing.
    [[nodiscard]] TimeSpan markedSpan() const;
    /// Selects without moving the view and without echoing selectionChanged to the asker.
    void select(const Selection& selection);
    /// Selects, unfolds, scrolls and pans so that it is in sight at a readable size.
    void reveal(const Selection& selection);
    /// The same, with what is around it: a span on the axis.
    void reveal(const Selection& selection, const TimeSpan& around);
    /// How wide the column of names was made, in logical pixels at the usual size of text; 0: as it is by itself.
    [[nodiscard]] int namesWidth() const;
    /// Makes the column of names so wide, as far as there is room; namesWidthChanged() does not follow.
    void setNamesWidth(int width);
    /// Scrolls the rows so far that the selection's is in sight; the time that is shown stays.
    void keepSelectionInSight();
    /// `F`: the selection, or an area that was made after it, fills 80 % of the width; without both, the whole run.
    void fitSelection();
    /// Shows all of the time.
    void fitAll();
    /// Shows a stretch of the axis, as far as there is something.
    void showWindow(const TimeSpan& window);
    /// Shows a stretch of the axis with a rank in sight, at a readable size.
    void showSpan(std::uint32_t run, RankPosition rank, const TimeSpan& span);
    /// Shows a step of a rank at 80 % of the width, with the rank in sight; nothing happens where there is no such
    /// step.
    void showStep(std::uint32_t run, RankPosition rank, RankStepPosition step);
    /// Shows a stretch of the axis from edge to edge, with a rank in focus and its header in sight. `travel`: as jumps
    /// do, and the place before can be gone back to.
    void showWhole(std::uint32_t run, RankPosition rank, const TimeSpan& span, bool travel);
    /// Marks the places of a finding in place of those of another one; what is empty marks nothing.
    void setFindingMarks(FindingMarks marks);
    [[nodiscard]] const FindingMarks& findingMarks() const;
    /// Marks the name of a rank, as if the keyboard had come to it, until something is selected.
    void markRank(std::uint32_t run, RankPosition rank);
    /// Shows what another timeline dictates, even where there is nothing here.
    void followWindow(const TimeSpan& window);
    /// Does what a key would do, for menus and the palette. What it selects is reported by selectionChanged.
    void trigger(TimelineAction action);

    /// Leaves all keys but those that are held down, and Esc, to the window's shortcuts, where the user can change
    /// them.
    void leaveKeysToShortcuts();

    /// Scrolls to a rank by its number, as the files have it: of the selection's run, else of the first that has it.
    /// False where none has it.
    bool showRank(RankNumber number);
    using NamedTrack = ui::NamedTrack;
    /// All tracks that have slices, shown or not, as they are below one another.
    [[nodiscard]] std::vector<NamedTrack> tracks() const;
    /// Brings a track into sight, with its slice nearest to the middle of the view selected.
    void showTrack(const NamedTrack& track);
    /// Pins a track to the top, or lets go of it.
    void pinTrack(const NamedTrack& track);
    /// For screen readers: what is selected, marked and in view, and each row.
    [[nodiscard]] QString spokenContent() const override;
    [[nodiscard]] std::size_t spokenParts() const override;
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override;
    /// The row that the keyboard is at in the column of names, or nullptr.
    [[nodiscard]] const LayoutRow* namedRow() const;
    /// What takes the keyboard beside the timeline itself, as one reads.
    [[nodiscard]] std::vector<QWidget*> controls();
    /// The overview above the tracks.
    [[nodiscard]] Overview& overview();
    /// Shows the overview where there is room for it, or hides it.
    void setOverviewVisible(bool visible);
    /// How high the overview is by itself; 0 where there is nothing to show in it.
    [[nodiscard]] int overviewHeight() const;
    /// Makes it at least so high where it is shown, so that the rows of two timelines begin side by side; 0: as it is.
    void setLeastOverview(int height);
    /// The slices that a search found are marked on their tracks; nullptr for none.
    void setHits(std::shared_ptr<const SliceHits> hits);
    /// What the user drew, or nothing.
    [[nodiscard]] std::optional<AreaSelection> area() const;
    /// The marks in order of time.
    [[nodiscard]] const std::vector<TimeMark>& marks() const;
    /// What a session keeps of the view, and takes up again once the runs are set.
    [[nodiscard]] TimelineState state() const;
    /// Takes up what a session kept; what it says of rows that there are not is left out.
    void setState(const TimelineState& state);
    /// Whether selectionChanged() announces what was selected at the place that the user goes back or forth to.
    [[nodiscard]] bool returning() const;
    /// Draws what is seen, without what belongs to the pointer and the keyboard, for a picture that is saved.
    void drawPicture(QPainter& painter);
    /// Takes up the rows and marks that were kept of a run, beside those that there are.
    void addState(const TimelineState& state);
    /// The step of the selection, else the one in the middle of the view: what the critical path is of.
    [[nodiscard]] std::optional<StepSelection> stepInView() const;
    /// Where no row of the critical path is in sight, scrolls to the rank that most of it is on, as soon as it is
    /// known.
    void bringPathIntoSight();
    /// What is laid over the slices.
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
    /// By whose places the ranks are under headings, or nothing.
    [[nodiscard]] std::optional<Role> groupedBy() const;
    /// Puts the ranks of each run whose grid has this dimension under headings, one for each place in it; nothing: no
    /// headings.
    void setGroupedBy(std::optional<Role> role);
    /// Brings the header of a rank into sight; the time and the selection stay.
    void bringRankIntoSight(std::uint32_t run, RankPosition rank);
    /// Whether ranks that nothing tells apart are one row, from sixteen ranks on.
    [[nodiscard]] bool alikeFolded() const;
    /// Folds such ranks into one row, or shows each.
    void setAlikeFolded(bool folded);

    /// Whether only the rank of the selection shows its host threads, and all others one host row. Rows are then as low
    /// as it takes for up to eight ranks to be in view. False at first.
    [[nodiscard]] bool oneRankUnfolded() const;
    /// Sets that. What the user folded stays as it is.
    void setOneRankUnfolded(bool one_rank);

    /// Waits for all indices and brings motion to rest: for screenshots and tests.
    void settle();
    /// Which time is in sight.
    [[nodiscard]] const Viewport& viewport() const;
    /// All rows, in sight or not.
    [[nodiscard]] const RowLayout& rowLayout() const;
    /// What is in sight now.
    [[nodiscard]] const Frame& frame();
    /// Where the frame is in the widget, in logical pixels.
    [[nodiscard]] QRect tracksArea() const;

  Q_SIGNALS:
    /// The user selected something here.
    void selectionChanged(const rankscope::ui::Selection& selection);
    /// The user made the column of names wider or narrower.
    void namesWidthChanged(int width);
    /// The user made, named or removed a mark.
    void marksChanged();
    /// The overview is of another height by itself.
    void overviewHeightChanged();
    /// The user changed the order of the rows, or which of them are shown.
    void rowsChanged();
    /// Another stretch of time is in sight, whatever moved it.
    void windowChanged(const rankscope::TimeSpan& window);
    /// Another step is the one in view, whatever made it so.
    void stepInViewChanged(const std::optional<rankscope::ui::StepSelection>& step);
    /// The user asks what can be done with a slice: whoever knows adds it to the menu, before this returns.
    /// `work` is what it is counted as; None where it is no device work, or where that is not known yet.
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
    /// The frame will be another one: brings the scroll bar and what hangs on the pointer in line with it.
    void frameChanged();
    /// Has all painted again but the children: the scroll bar and the button cost more than the names.
    void refresh();
    void goTo(const std::optional<ViewPlace>& place);
    void zoomOrPan(TimelineAction action);

    /// Selects without a signal.
    void take(const Selection& wanted);
    /// Selects for the user.
    void choose(const Selection& wanted);
    /// Selects for the user and brings it into sight; nothing happens for nothing.
    void go(const Selection& wanted);
    /// Goes along the links of the selection; where there is no way on, the window says why.
    void followLink(Direction direction);
    /// With nothing selected, begins in sight.
    void goToSlice(Direction direction);
    void goToGap(Direction direction);
    void goToRow(Direction direction);
    /// Selects the first slice in sight, and leaves the rows where they are; false where none is in sight.
    bool beginInSight();
    /// Does what lays the rows out anew: what is at the top stays there, and the selection in sight.
    void keepPlace(const std::function<void()>& change);
    /// Goes back or forth among the places, or among what was done to rows and marks; says where there is nothing.
    void goInHistory(TimelineAction action);
    /// What is done with marks; says where there is none to do it with.
    void actOnMarks(TimelineAction action);
    /// Takes the area over from the selection; says where nothing is selected.
    void actOnArea(TimelineAction action);
    /// What is done with the row of the selection, and with what is hidden.
    void actOnRows(TimelineAction action);
    void turnLink(Direction direction);
    void goToName(Direction direction);
    /// What is done with the row that is chosen by its name, and with the column of names.
    void actOnNames(TimelineAction action);
    /// Makes the column of names wider by `pixels` logical pixels.
    void widenNames(int pixels);
    void clear();

    /// The rows are others.
    void showRows();
    /// Requests the counters that are shown, and drops those that no longer are.
    void wantCounters();
    /// Finds the step in view, and has its critical path worked out, if that overlay is on.
    void wantPath();
    /// Shows the counters of the selection, or hides them.
    void toggleCounters();
    void fold(const LayoutRow* row);
    void foldOrSayWhy(const LayoutRow* row);
    /// What can be done with a row by its menu, and what the mouse does with its name.
    void addRowEntries(QMenu& menu, const LayoutRow& row);
    /// The row of the selected slice's track, or nullptr.
    [[nodiscard]] const LayoutRow* selectedRow() const;

    /// The area has changed: announces it.
    void areaEdited();
    void clearArea();
    void areaOfSelection();
    void areaToSelection();
    void dragArea(Qt::KeyboardModifiers modifiers);
    /// What is under a global position; the time at the edge of a slice where one is near and Alt is not held.
    [[nodiscard]] AreaPoint areaPointUnder(const QPoint& global, Qt::KeyboardModifiers modifiers);
    [[nodiscard]] AreaEdit areaEdgeAt(const QPointF& at) const;

    /// Changes the marks, for undo to take back.
    void changeMarks(const std::function<void(Marks&)>& change);
    void addMark(bool kept);
    /// Whether the rank whose clock it keeps to is open.
    [[nodiscard]] bool isOpen(const TimeMark& mark) const;
    void removeMark();
    void writeNote();
    void chooseMark(Direction direction);
    /// Chooses the mark whose flag is at a point of the ruler, writes its note if it is chosen, or keeps a mark where
    /// there is room for flags and none; false outside of the ruler.
    bool clickRuler(const QPointF& at);
    [[nodiscard]] bool inRuler(const QPointF& at) const;
    /// Whether a click at a point puts a flag there.
    [[nodiscard]] bool wouldFlag(const QPointF& at) const;

    void hoverAt(const QPointF& at);
    void forgetPointer();
    void clickAt(const QPointF& at, Qt::KeyboardModifiers modifiers);
    /// What a double click at a position in the widget is about.
    [[nodiscard]] Selection doubleClicked(const QPointF& at);
    void dragBy(const QPoint& way, Qt::KeyboardModifiers modifiers);
    void dragHeader(const QPointF& at);
    /// Whether the edge of the column of names would be taken hold of at a position in the widget.
    [[nodiscard]] bool overColumnEdge(const QPointF& at) const;
    /// How wide the column of names is, in logical pixels.
    [[nodiscard]] int sideWidth() const;
    [[nodiscard]] Qt::CursorShape cursorAt(const QPointF& at) const;
    /// The note and the time of the mark whose flag is at a position in the widget, or where the files of the run are
    /// whose name is there; empty where there is neither.
    [[nodiscard]] QString tipAt(const QPoint& pos) const;
    /// A position in the widget, from the upper left corner of the tracks.
    [[nodiscard]] QPointF inTracks(const QPointF& at) const { return at - QPointF(tracksArea().topLeft()); }
    /// A height of the tracks, from the top of all rows.
    [[nodiscard]] int inRows(double y) const;
    /// Presses or lets go of a key that moves the view for as long as it is held; false for other keys.
    bool hold(TimelineAction action, bool down);
    /// The action of a key that the widget handles itself.
    [[nodiscard]] std::optional<TimelineAction> ownAction(const QKeyEvent& event) const;

    void paintAll(QPainter& painter);
    void paintTracks(QPainter& painter, const QRect& tracks, bool as_shapes);
    void paintHeaders(QPainter& painter, const QRect& tracks, bool as_shapes);
    void paintTimes(QPainter& painter, const QRect& tracks);
    void paintChosen(QPainter& painter, const QRect& tracks);
    /// The area, or the range of which one end is chosen.
    void paintMarkedTime(QPainter& painter, const QRect& tracks);

    std::unique_ptr<Parts> parts_;
};

}  // namespace rankscope::ui
