// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <memory>

#include "ui/compare/compared_runs.h"
#include "ui/compare/lookup.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"

class QLabel;
class QSplitter;

namespace rankscope::ui {

class CompareAnswer;
class ComparePanel;
class CompareStrip;
class IndexStore;
class LinkedTimelines;
class Search;
class SearchBar;
class TimelineWidget;

/// Two runs side by side: their timelines, aligned step by step, and what changed from one to the other. The comparison
/// is worked out on a thread; what was there stays until it is done. Runs are counted by side here: 0 is A.
class CompareView : public QWidget {
    Q_OBJECT

  public:
    /// `indices` may be shared with other views of the same runs.
    CompareView(const Theme& theme, const std::shared_ptr<IndexStore>& indices, QWidget* parent = nullptr);

    /// Compares the recordings of two sides, which are analysed; either empty for none. The same again change nothing.
    void setSides(std::vector<SharedRun> a, std::vector<SharedRun> b);
    /// The side at a place of the screen: each has its half of the window; nothing while the view is not shown.
    [[nodiscard]] std::optional<Side> sideAt(const QPoint& on_screen) const;
    /// Draws timelines and panels in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Whether the two timelines move together.
    void setLinked(bool linked);
    [[nodiscard]] bool linked() const;
    /// Inside a step by what corresponds in its phases, not in proportion.
    void setByPhase(bool by_phase);
    [[nodiscard]] bool byPhase() const;
    /// Above and below each other instead of left and right.
    void setStacked(bool stacked);
    [[nodiscard]] bool stacked() const;

    /// The timeline of one of the two runs.
    [[nodiscard]] TimelineWidget& timeline(Side side) const { return *timelines_[static_cast<std::size_t>(side)]; }
    /// The one that the user was in last: commands are about it.
    [[nodiscard]] Side activeSide() const { return active_; }
    [[nodiscard]] TimelineWidget& activeTimeline() const { return timeline(active_); }
    /// What the comparison begins with, above the timelines.
    [[nodiscard]] const CompareAnswer& answer() const { return *answer_; }
    /// What is said of the two runs, below the timelines.
    [[nodiscard]] ComparePanel& panel() { return *panel_; }
    /// Of both runs.
    [[nodiscard]] Search& search() { return *search_; }
    /// What is compared now; nullptr while it is being worked out for the first time.
    [[nodiscard]] const std::shared_ptr<const ComparedRuns>& compared() const { return compared_; }
    /// "Step 5 of A against step 5 of B."; by phase also where in it, or which phase is not told.
    [[nodiscard]] QString stepsText() const;
    /// Whether something that can be seen is still being worked out.
    [[nodiscard]] bool busy() const;

  Q_SIGNALS:
    /// The user is done with comparing.
    void leaveAsked();
    /// A shall be B.
    void swapAsked();
    /// It is linked or free, by phase or by step, stacked or not, now.
    void arrangementChanged();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    void layOut();
    void wire();
    [[nodiscard]] QWidget* half(Side side);
    void take(const std::shared_ptr<const ComparedRuns>& runs);
    void select(Side side, const Selection& selection);
    /// Shows a slice of a side, with what stands against it.
    void goTo(const SliceSelection& slice);
    void show(const FoundPair& pair);
    /// Brings a place in sight, and tells where it is on the axis of its timeline.
    TimeSpan reveal(Side side, const Location& place);
    void showSameRank(Side from, const Location& place);
    /// Side by side, the rows of both begin at the same height.
    void alignRows();
    /// Scrolls each timeline's rows to what is selected there.
    void keepSelectedInSight();
    void setActive(Side side);
    void showNames();
    void showSteps();

    std::vector<SharedRun> a_;
    std::vector<SharedRun> b_;
    std::shared_ptr<const ComparedRuns> compared_;
    LatestJob job_;
    std::array<TimelineWidget*, 2> timelines_;
    std::array<QLabel*, 2> names_;
    LinkedTimelines* linked_timelines_;
    Lookup* lookup_;
    ComparePanel* panel_;
    CompareAnswer* answer_;
    CompareStrip* strip_;
    SearchBar* search_bar_;
    Search* search_;
    QSplitter* halves_;
    QSplitter* down_;
    Side active_ = Side::A;
    bool sized_ = false;
};

}  // namespace rankscope::ui
