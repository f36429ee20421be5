// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/analysis/tables/run_names.h"
#include "ui/panels/search/search_results.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/timeline/latest_job.h"

namespace rankscope::ui {

class HitsPanel;
class SearchBar;
class TimelineWidget;

/// A timeline whose runs are searched, with what it is called beside others: "A".
struct SearchedTimeline {
    TimelineWidget* widget = nullptr;
    QString name;
};

/// The texts of the runs that are searched, gathered when they are first asked for. Asked from the thread that
/// searches.
class SearchedNames {
  public:
    /// nullptr if stopped.
    [[nodiscard]] std::shared_ptr<const RunNames> of(const Run& run, const std::stop_token& stop);

  private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<const RunNames>> names_;
};

/// The search of a window: what is typed in the bar is looked for in all open runs on a thread, and walked through from
/// where the active timeline is. Where no name fits, "step 7 of rank 3" finds that step. The old hits stay until the
/// new ones are there.
class Search : public QObject {
    Q_OBJECT

  public:
    /// `timelines`: one that shows all runs, or one for each run, which shows only that.
    Search(SearchBar& bar, HitsPanel& panel, std::vector<SearchedTimeline> timelines, QObject* parent = nullptr);

    /// Searches these runs from now on, for what is in the bar.
    void setRuns(const OpenRuns& runs);
    /// The timeline that the user is at, by its place among those that are searched.
    void setActive(std::size_t timeline) { active_ = timeline; }
    /// Shows the bar with the keyboard in it.
    void open();
    /// Searches for `text` as if it had been typed.
    void searchFor(const QString& text);
    /// Goes to the next hit (+1) or the one before (-1), round the end.
    void step(int direction);
    /// Hides the bar and forgets the hits.
    void close();

    /// What is searched for; empty for nothing.
    [[nodiscard]] QString query() const;
    /// nullptr while nothing is searched for.
    [[nodiscard]] const std::shared_ptr<const SearchResults>& results() const { return results_; }
    /// The hit that one is at, an index into results(); nothing before the first step.
    [[nodiscard]] std::optional<std::size_t> current() const { return current_; }
    /// Whether the runs are being searched.
    [[nodiscard]] bool busy() const { return job_.busy(); }

  Q_SIGNALS:
    /// There are other hits, or none any more.
    void resultsChanged();
    /// A hit shall be seen; its run is one of those that were set.
    void hitChosen(const rankscope::ui::SliceSelection& slice);

  private:
    void start();
    void showCount(std::uint64_t asked, std::uint64_t total);
    void take(const std::shared_ptr<const SearchResults>& results);
    void go(std::size_t hit);
    void showState();
    [[nodiscard]] QString countText() const;
    [[nodiscard]] std::size_t firstInSight() const;

    SearchBar& bar_;
    HitsPanel& panel_;
    std::vector<SearchedTimeline> timelines_;
    std::size_t active_ = 0;
    OpenRuns runs_;
    std::shared_ptr<const SearchResults> results_;
    std::optional<std::size_t> current_;
    std::shared_ptr<SearchedNames> names_ = std::make_shared<SearchedNames>();
    std::optional<std::uint64_t> counted_;  // hits of what is being searched for, before they are there
    std::uint64_t asked_ = 0;
    LatestJob job_;
};

}  // namespace rankscope::ui
