// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/diagnosis/analysed_run.h"
#include "ui/theme/theme.h"
#include "ui/timeline/gestures.h"
#include "ui/timeline/overlays.h"
#include "ui/timeline/selection.h"
#include "ui/timeline/timeline_state.h"

namespace rankscope::ui {

struct Frame;
class IndexStore;
class Overview;
class RowLayout;
class SliceHits;
class Viewport;

/// All ranks of all open runs on one time axis. Glue only: what is drawn is built by the frame builder, painted by the
/// painter and hit by the hit test; the viewport does the arithmetic.
class TimelineWidget : public QWidget {
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
    void setTheme(const Theme& theme);

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
    /// `F`: the selection fills 80 % of the width; without one, the whole run.
    void fitSelection();
    void fitAll();
    /// Shows a stretch of the axis, as far as there is something.
    void showWindow(const TimeSpan& window);
    /// Shows what another timeline dictates, even where there is nothing here.
    void followWindow(const TimeSpan& window);
    /// Does what a key would do, for menus and the palette. What it selects is told by selectionChanged.
    void trigger(TimelineAction action);

    /// Leaves all keys but those that are held down, and Esc, to the window's shortcuts, where the user can change
    /// them.
    void leaveKeysToShortcuts();

    /// Scrolls to a rank by its number, as the files have it: of the selection's run, else of the first that has it.
    void showRank(std::int32_t number);
    /// A track that can be chosen by its name.
    struct NamedTrack {
        std::uint32_t run = 0;   ///< index among the open runs
        std::uint32_t rank = 0;  ///< index in Run::ranks
        TrackId track;
        QString title;  ///< "rank 3 · stream 7"
        QString run_name;
    };
    /// All tracks that have slices, shown or not, as they stand below one another.
    [[nodiscard]] std::vector<NamedTrack> tracks() const;
    /// Brings a track into sight, with its slice nearest to the middle of the view selected.
    void showTrack(const NamedTrack& track);
    /// Pins a track to the top, or lets go of it.
    void pinTrack(const NamedTrack& track);
    /// What takes the keyboard beside the timeline itself, as one reads.
    [[nodiscard]] std::vector<QWidget*> controls();
    /// The overview above the tracks.
    [[nodiscard]] Overview& overview();
    void setOverviewVisible(bool visible);
    /// The slices that a search found are marked on their tracks; nullptr for none.
    void setHits(std::shared_ptr<const SliceHits> hits);
    /// What the user drew, or nothing.
    [[nodiscard]] std::optional<AreaSelection> area() const;
    [[nodiscard]] const std::vector<Mark>& marks() const;
    /// What a session keeps of the view, and takes up again once the runs are set.
    [[nodiscard]] TimelineState state() const;
    void setState(const TimelineState& state);
    [[nodiscard]] const OverlaySet& overlays() const;
    void setOverlay(Overlay overlay, bool shown);

    /// In which order the ranks of each run stand.
    [[nodiscard]] RankOrder rankOrder() const;
    void setRankOrder(RankOrder order);
    [[nodiscard]] static QString orderTitle(RankOrder order);  ///< for people: "By lateness"
    /// Whether ranks that nothing tells apart are one row, from sixteen ranks on.
    [[nodiscard]] bool alikeFolded() const;
    void setAlikeFolded(bool folded);

    /// Waits for all indices and brings motion to rest: for screenshots and tests.
    void settle();
    [[nodiscard]] const Viewport& viewport() const;
    [[nodiscard]] const RowLayout& rowLayout() const;
    /// What is in sight now.
    [[nodiscard]] const Frame& frame();
    /// Where the frame lies in the widget, in logical pixels.
    [[nodiscard]] QRect tracksArea() const;

  Q_SIGNALS:
    /// The user selected something here.
    void selectionChanged(const rankscope::ui::Selection& selection);
    void marksChanged();
    /// The user changed the order of the rows, or which of them are shown.
    void rowsChanged();
    /// Another stretch of time is in sight, whatever moved it.
    void windowChanged(const rankscope::TimeSpan& window);
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
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace rankscope::ui
