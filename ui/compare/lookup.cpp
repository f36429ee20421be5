// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lookup.h"

#include <utility>

namespace rankscope::ui {

/// Only the one thread of the job touches it, so that sequences of a step are aligned once.
struct Lookup::Cache {
    explicit Cache(std::shared_ptr<const ComparedRuns> of) : runs(std::move(of)), places(*runs->a, *runs->b) {}

    std::shared_ptr<const ComparedRuns> runs;
    Locations places;

    void addInstead(FoundPair& pair) {
        const Location& here = pair.place(pair.from);
        const AnalysedRun& from = runs->run(pair.from);
        const AnalysedRun& other = runs->run(otherOf(pair.from));
        Counterparts& counterparts = pair.from == Side::A ? places.toB() : places.toA();
        if (const auto* gap = std::get_if<GapLocation>(&here)) {
            pair.instead = gapCounterpart(from, other, counterparts, *gap);
        } else if (const auto* late = std::get_if<LateLocation>(&here)) {
            pair.own = compareStragglers(from, other, counterparts, *late);
        }
    }
};

Location locationOf(const AnalysedRun& run, const Selection& selection) {
    if (const auto* slice = std::get_if<SliceSelection>(&selection)) {
        return SliceLocation{slice->rank, slice->slice};
    }
    if (const auto* gap = std::get_if<GapSelection>(&selection)) {
        return GapLocation{gap->rank, gap->step, gap->gap};
    }
    if (const auto* late = std::get_if<StragglerSelection>(&selection)) {
        return LateLocation{late->rank, late->finding, late->window};
    }
    if (const auto* band = std::get_if<BandSelection>(&selection)) {
        const RankFacts& facts = run.facts.ranks[band->rank];
        const IntervalSet& bands = band->kind == BandKind::Overlap ? facts.overlap : facts.exposed_communication;
        return communicationIn(run, band->rank, bands.spans()[band->index]);
    }
    return {};
}

Selection selectionOf(const Location& place) {
    if (const auto* slice = std::get_if<SliceLocation>(&place)) {
        return SliceSelection{0, slice->rank, slice->slice};
    }
    if (const auto* gap = std::get_if<GapLocation>(&place)) {
        return GapSelection{0, gap->rank, gap->step, gap->gap};
    }
    if (const auto* late = std::get_if<LateLocation>(&place)) {
        return StragglerSelection{0, late->rank, late->finding, late->window};
    }
    return {};
}

Lookup::Lookup(QObject* parent) : QObject(parent) {}

void Lookup::setRuns(std::shared_ptr<const ComparedRuns> runs) {
    job_.forget();
    cache_ = runs ? std::make_shared<Cache>(std::move(runs)) : nullptr;
}

void Lookup::select(Side side, const Location& place) {
    start([side, place](Cache& cache) {
        FoundPair pair{.from = side, .selected = true, .places = {}, .instead = {}, .own = {}};
        pair.places = side == Side::A ? cache.places.fromA(place) : cache.places.fromB(place);
        cache.addInstead(pair);
        return pair;
    });
}

void Lookup::ask(AskPlaces ask) {
    start([ask = std::move(ask)](Cache& cache) {
        FoundPair pair{.from = Side::A, .selected = false, .places = ask(cache.places), .instead = {}, .own = {}};
        pair.from = pair.places.a.index() == 0 ? Side::B : Side::A;
        cache.addInstead(pair);
        return pair;
    });
}

void Lookup::start(std::function<FoundPair(Cache&)> work) {
    if (!cache_) {
        return;
    }
    job_.start([this, cache = cache_, work = std::move(work)](const std::stop_token&) {
        FoundPair pair = work(*cache);
        // Held with what it points into.
        return LatestJob::Show([this, cache, pair = std::move(pair)] { Q_EMIT found(pair); });
    });
}

}  // namespace rankscope::ui
