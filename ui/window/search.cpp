// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/search.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/format.h"
#include "core/base/sort_runs.h"
#include "ui/panels/hits_panel.h"
#include "ui/panels/search_bar.h"
#include "ui/panels/words.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/timeline/viewport.h"

namespace rankscope::ui {
namespace {

/// Searches all runs; nullptr where it was told to stop.
std::shared_ptr<const SearchResults> searchAll(const OpenRuns& runs, const QString& text, const std::stop_token& stop) {
    auto results = std::make_shared<SearchResults>();
    results->text = text;
    for (const auto& run : runs) {
        Result<SearchHits> hits = searchSlices(*run->run, run->clock, text.toStdString(), {}, stop);
        if (!hits.ok()) {
            return nullptr;
        }
        results->runs.push_back(std::move(hits).value());
        const auto index = static_cast<std::uint32_t>(results->runs.size() - 1);
        for (const SearchHit& hit : results->runs.back().hits) {
            results->on_axis.push_back(hit.start_ns - run->clock.base_ns);
            const Track& track = run->run->ranks[hit.rank]->track(hit.slice);
            results->by_lane.add({index, hit.rank, hit.slice.track, track.slices.depth[hit.slice.slice]},
                                 hit.slice.slice);
        }
    }
    sortRuns(results->on_axis, std::less<>());
    return results;
}

bool sameRanks(const OpenRuns& a, const OpenRuns& b) {
    return std::ranges::equal(
        a, b, {}, [](const auto& r) { return r->run->ranks; }, [](const auto& r) { return r->run->ranks; });
}

}  // namespace

Search::Search(SearchBar& bar, HitsPanel& panel, TimelineWidget& timeline, QObject* parent)
    : QObject(parent), bar_(bar), panel_(panel), timeline_(timeline) {
    connect(&bar_, &SearchBar::textChanged, this, &Search::start);
    connect(&bar_, &SearchBar::next, this, [this] { step(1); });
    connect(&bar_, &SearchBar::previous, this, [this] { step(-1); });
    connect(&bar_, &SearchBar::closed, this, &Search::close);
    connect(&panel_, &HitsPanel::hitActivated, this, &Search::go);
    // From what the user selects there the walk goes on.
    connect(&timeline_, &TimelineWidget::selectionChanged, this, [this] {
        current_.reset();
        showState();
    });
}

void Search::setRuns(const OpenRuns& runs) {
    const bool same = sameRanks(runs, runs_);
    runs_ = runs;
    if (!same) {
        take(nullptr);  // its hits name slices by where they stood
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
    timeline_.setFocus();
}

void Search::start() {
    const QString text = bar_.text();
    if (text.isEmpty() || runs_.empty()) {
        job_.forget();
        take(nullptr);
        return;
    }
    job_.start([this, runs = runs_, text](const std::stop_token& stop) -> LatestJob::Show {
        auto results = searchAll(runs, text, stop);
        return [this, results] {
            if (results) {
                take(results);
            }
        };
    });
    showState();
}

void Search::take(const std::shared_ptr<const SearchResults>& results) {
    if (!results && !results_) {
        showState();
        return;
    }
    results_ = results;
    current_.reset();
    panel_.setResults(runs_, results_);
    timeline_.overview().setHits(results_ ? std::shared_ptr<const std::vector<TimeNs>>(results_, &results_->on_axis)
                                          : nullptr);
    timeline_.setHits(results_ ? std::shared_ptr<const SliceHits>(results_, &results_->by_lane) : nullptr);
    showState();
    Q_EMIT resultsChanged();
}

std::size_t Search::firstInSight() const {
    std::uint32_t run = 0;
    TimeNs from = timeline_.viewport().window().start_ns;
    if (const auto* slice = std::get_if<SliceSelection>(&timeline_.selection())) {
        run = slice->run;
        const AnalysedRun& selected = *runs_[run];
        from = selected.clock.ranks[slice->rank].toRun(selected.run->ranks[slice->rank]->span(slice->slice).start_ns) -
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
    } else if (job_.busy() && (!results_ || results_->text != bar_.text())) {
        bar_.setState(tr("searching..."), results_ && results_->size() > 0);
    } else if (!results_ || results_->total() == 0) {
        bar_.setState(tr("no hits"), false);
    } else {
        const QString total = text(formatCount(results_->total()));
        const QString at =
            current_ ? tr("%1 of %2").arg(text(formatCount(*current_ + 1)), total) : tr("%1 hits").arg(total);
        bar_.setState(at, true);
    }
}

}  // namespace rankscope::ui
