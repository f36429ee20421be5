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

/// A timeline whose runs are searched, with its name if there are several: "A".
struct SearchedTimeline {
    TimelineWidget* widget = nullptr;
    QString name;
};

/// The texts of the searched runs, gathered on first use. Called from the searching thread.
class SearchedNames {
  public:
    /// nullptr if stopped.
    [[nodiscard]] std::shared_ptr<const RunNames> of(const Run& run, const std::stop_token& stop);

  private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<const RunNames>> names_;
};

/// The search of a window: finds the typed text in all open runs on a thread, and walks through the hits from the
/// position of the active timeline. If no name matches, "step 7 of rank 3" finds that step. The old hits stay until the
/// new ones are there.
class Search : public QObject {
    Q_OBJECT

  public:
    /// `timelines`: one that shows all runs, or one per run that shows only that run.
    Search(SearchBar& bar, HitsPanel& panel, std::vector<SearchedTimeline> timelines, QObject* parent = nullptr);

    /// Searches these runs from now on, for the text in the bar.
    void setRuns(const OpenRuns& runs);
    /// Sets the timeline that the user is in, by its index among those that are searched.
    void setActive(std::size_t timeline) { active_ = timeline; }
    /// Shows the bar, with the keyboard focus in it.
    void open();
    /// Searches for `text` as if it had been typed.
    void searchFor(const QString& text);
    /// Goes to the next hit (+1) or the previous one (-1), and wraps around.
    void step(int direction);
    /// Hides the bar and discards the hits.
    void close();

    /// The searched text; empty for none.
    [[nodiscard]] QString query() const;
    /// nullptr while there is no search.
    [[nodiscard]] const std::shared_ptr<const SearchResults>& results() const { return results_; }
    /// The current hit, an index into results(); nothing before the first step.
    [[nodiscard]] std::optional<std::size_t> current() const { return current_; }
    /// Whether the runs are being searched.
    [[nodiscard]] bool busy() const { return job_.busy(); }

  Q_SIGNALS:
    /// The hits have changed, possibly to none.
    void resultsChanged();
    /// A hit is to be shown; its run is one of those that were set.
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
    std::optional<std::uint64_t> counted_;  // number of hits of the running search, before they are there
    std::uint64_t asked_ = 0;
    LatestJob job_;
};

}  // namespace rankscope::ui
