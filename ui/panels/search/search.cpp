// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/search/search.h"

#include <QMetaObject>
#include <QStringList>
#include <QThreadPool>
#include <algorithm>
#include <functional>
#include <utility>

#include "core/analysis/tables/search_steps.h"
#include "core/base/format.h"
#include "core/base/sort_runs.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/panels/shared/words.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/widgets/search_bar.h"

namespace rankscope::ui {
namespace {

/// Marks the hits of a run on the timeline that shows it as its run `index`.
void mark(const AnalysedRun& run, std::uint32_t index, const SearchHits& hits, TimelineHits& timeline) {
    for (const SearchHit& hit : hits.hits) {
        timeline.on_axis.push_back(hit.start_ns - run.clock.base_ns);
        const Track& track = run.run->ranks[hit.rank]->track(hit.slice);
        timeline.by_lane.add({index, hit.rank, hit.slice.track, track.slices.depth[hit.slice.slice]}, hit.slice.slice);
    }
}

/// Searches all runs; nullptr if stopped. `names` keeps their texts for the next search. `counted` receives the number
/// of hits before their places are sorted.
std::shared_ptr<const SearchResults> searchAll(const OpenRuns& runs, std::size_t timelines, const QString& text,
                                               SearchedNames& names, const std::function<void(std::uint64_t)>& counted,
                                               const std::stop_token& stop) {
    auto results = std::make_shared<SearchResults>();
    results->text = text;
    results->timelines.resize(timelines);
    std::uint64_t total = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const AnalysedRun& run = *runs[r];
        SearchOptions options;
        options.names = names.of(*run.run, stop);
        options.counted = [&](std::uint64_t of_run) {
            total += of_run;
            if (r + 1 == runs.size()) {
                counted(total);
            }
        };
        Result<SearchHits> hits = searchSlices(*run.run, run.clock, text.toStdString(), options, stop);
        if (!hits.ok()) {
            return nullptr;
        }
        SearchHits found = std::move(hits).value();
        if (found.total == 0) {
            found = searchSteps(*run.run, run.facts, run.clock, text.toStdString());
            results->of_steps = results->of_steps || found.total > 0;
        }
        results->runs.push_back(std::move(found));
        const bool own = timelines > 1;
        mark(run, own ? 0 : static_cast<std::uint32_t>(r), results->runs.back(), results->timelines[own ? r : 0]);
    }
    for (TimelineHits& timeline : results->timelines) {
        sortRuns(timeline.on_axis, std::less<>());
    }
    return results;
}

bool sameRanks(const OpenRuns& a, const OpenRuns& b) {
    return std::ranges::equal(
        a, b, {}, [](const auto& r) { return r->run->ranks; }, [](const auto& r) { return r->run->ranks; });
}

}  // namespace

std::shared_ptr<const RunNames> SearchedNames::of(const Run& run, const std::stop_token& stop) {
    const std::scoped_lock lock(mutex_);
    const auto at = std::ranges::find_if(names_, [&](const auto& names) { return names->isOf(run); });
    if (at != names_.end()) {
        return *at;
    }
    Result<std::shared_ptr<const RunNames>> made = RunNames::of(run, 0, stop);
    if (!made.ok()) {
        return nullptr;
    }
    names_.push_back(made.value());
    return names_.back();
}

Search::Search(SearchBar& bar, HitsPanel& panel, std::vector<SearchedTimeline> timelines, QObject* parent)
    : QObject(parent), bar_(bar), panel_(panel), timelines_(std::move(timelines)) {
    connect(&bar_, &SearchBar::textChanged, this, &Search::start);
    connect(&bar_, &SearchBar::next, this, [this] { step(1); });
    connect(&bar_, &SearchBar::previous, this, [this] { step(-1); });
    connect(&bar_, &SearchBar::closed, this, &Search::close);
    connect(&panel_, &HitsPanel::hitActivated, this, &Search::go);
    // Stepping through hits continues from the user's selection.
    for (const SearchedTimeline& timeline : timelines_) {
        connect(timeline.widget, &TimelineWidget::selectionChanged, this, [this] {
            current_.reset();
            showState();
        });
    }
}

void Search::setRuns(const OpenRuns& runs) {
    const bool same = sameRanks(runs, runs_);
    runs_ = runs;
    if (!same) {
        names_ = std::make_shared<SearchedNames>();
        take(nullptr);  // its hits refer to slices of the old run
    }
    start();
}

void Search::open() {
    bar_.open();
}

void Search::searchFor(const QString& text) {
    bar_.open();
    bar_.setText(text);
}

QString Search::query() const {
    return bar_.text();
}

void Search::close() {
    bar_.setText({});
    bar_.hide();
    timelines_[active_].widget->setFocus();
}

void Search::start() {
    const QString text = bar_.text();
    counted_.reset();
    const std::uint64_t asked = ++asked_;
    if (text.isEmpty() || runs_.empty() || isSqlQuestion(text)) {
        job_.forget();
        take(nullptr);
        return;
    }
    job_.start([this, runs = runs_, timelines = timelines_.size(), text, names = names_,
                asked](const std::stop_token& stop) -> LatestJob::Show {
        const auto counted = [this, asked](std::uint64_t total) {
            QMetaObject::invokeMethod(
                this, [this, asked, total] { showCount(asked, total); }, Qt::QueuedConnection);
        };
        auto results = searchAll(runs, timelines, text, *names, counted, stop);
        return [this, results] {
            if (results) {
                take(results);
            }
        };
    });
    showState();
}

void Search::showCount(std::uint64_t asked, std::uint64_t total) {
    if (asked == asked_ && job_.busy()) {
        counted_ = total;
        showState();
    }
}

void Search::take(const std::shared_ptr<const SearchResults>& results) {
    if (!results && !results_) {
        showState();
        return;
    }
    std::shared_ptr<const SearchResults> old = std::exchange(results_, results);
    current_.reset();
    panel_.setResults(runs_, results_);
    for (std::size_t i = 0; i < timelines_.size(); ++i) {
        TimelineWidget& timeline = *timelines_[i].widget;
        const TimelineHits* hits = results_ ? &results_->timelines[i] : nullptr;
        timeline.overview().setHits(hits ? std::shared_ptr<const std::vector<TimeNs>>(results_, &hits->on_axis)
                                         : nullptr);
        timeline.setHits(hits ? std::shared_ptr<const SliceHits>(results_, &hits->by_lane) : nullptr);
    }
    showState();
    Q_EMIT resultsChanged();
    if (old) {  // freeing a million hits takes longer than a frame
        QThreadPool::globalInstance()->start([held = std::move(old)]() mutable { held.reset(); });
    }
}

std::size_t Search::firstInSight() const {
    const TimelineWidget& timeline = *timelines_[active_].widget;
    auto run = static_cast<std::uint32_t>(active_);
    TimeNs from = timeline.viewport().window().start_ns;
    if (const auto* slice = std::get_if<SliceSelection>(&timeline.selection())) {
        run += slice->run;
        const AnalysedRun& selected = *runs_[run];
        from = selected.clock.ranks[slice->rank].toRun(
                   FileTime(selected.run->ranks[slice->rank]->span(slice->slice).start_ns)) -
               selected.clock.base_ns;
    }
    return results_->firstFrom(run, from + runs_[run]->clock.base_ns);
}

void Search::step(int direction) {
    const std::size_t count = results_ ? results_->size() : 0;
    if (count == 0) {
        return;
    }
    if (current_) {
        go((*current_ + count + static_cast<std::size_t>(direction < 0 ? count - 1 : 1)) % count);
    } else {
        const std::size_t first = firstInSight();
        go(direction < 0 ? (first + count - 1) % count : first % count);
    }
}

void Search::go(std::size_t hit) {
    if (!results_ || hit >= results_->size()) {
        return;
    }
    current_ = hit;
    panel_.setCurrent(hit);
    showState();
    Q_EMIT hitChosen(results_->at(hit));
}

void Search::showState() {
    if (bar_.text().isEmpty()) {
        bar_.setState({}, false);
    } else if (isSqlQuestion(bar_.text())) {
        bar_.setState(tr("Enter asks this in SQL"), false);
    } else if (job_.busy() && (!results_ || results_->text != bar_.text())) {
        const QString state =
            counted_ ? tr("%1 hits, sorting them...").arg(text(formatCount(*counted_))) : tr("searching...");
        bar_.setState(state, results_ && results_->size() > 0);
    } else if (!results_ || results_->total() == 0) {
        bar_.setState(tr("no hits"), false);
    } else {
        bar_.setState(countText(), true);
    }
}

// "3 of 1,204"; if each run has its own timeline, "1,204 hits (800 in A, 404 in B)".
QString Search::countText() const {
    const QString total = text(formatCount(results_->total()));
    const QString words = current_                 ? tr("%1 of %2").arg(text(formatCount(*current_ + 1)), total)
                          : results_->total() == 1 ? tr("1 hit")
                                                   : tr("%1 hits").arg(total);
    QStringList by_run;
    for (std::size_t i = 0; timelines_.size() > 1 && i < results_->runs.size(); ++i) {
        by_run.append(tr("%1 in %2").arg(text(formatCount(results_->runs[i].total)), timelines_[i].name));
    }
    return by_run.isEmpty() ? words : words + QStringLiteral(" (%1)").arg(by_run.join(QStringLiteral(", ")));
}

}  // namespace rankscope::ui
