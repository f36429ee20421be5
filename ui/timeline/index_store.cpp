// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/index_store.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/analysis/counters/run_counters.h"
#include "core/diagnosis/stall_pattern.h"

namespace rankscope::ui {
namespace {

std::shared_ptr<const CounterIndex> indexOf(std::vector<CounterSeries> all, const TimeSpan& window) {
    auto index = std::make_shared<CounterIndex>();
    index->window = window;
    index->series = std::move(all);
    for (const CounterSeries& series : index->series) {
        index->lods.emplace_back(series.at_ns, series.value);
    }
    return index;
}

}  // namespace

std::uint32_t nameHash(std::string_view name) {
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char c : name) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return hash;
}

std::shared_ptr<const RankIndex> buildRankIndex(const RankTrace& rank, const std::atomic<bool>& stop) {
    auto index = std::make_shared<RankIndex>();
    index->names.reserve(rank.strings.size());
    for (std::uint32_t i = 0; i < rank.strings.size(); ++i) {
        const std::string_view name = rank.strings.view(StringId(i));
        index->names.push_back({nameHash(name), shadeOf(name)});
    }
    index->tracks.reserve(rank.tracks.size());
    for (const Track& track : rank.tracks) {
        if (stop) {
            return nullptr;
        }
        index->tracks.emplace_back(track);
    }
    index->launches.resize(rank.tracks.size(), 0);
    for (const Launch& launch : rank.launches.all()) {
        ++index->launches[launch.host.track.value];
    }
    return index;
}

namespace {

std::vector<HostIndex> indexHosts(const AnalysedRun& run) {
    std::vector<HostIndex> indexed;
    if (run.facts.ranks.empty()) {
        return indexed;  // not known yet
    }
    for (HostPauses& host : pausesOfHosts(*run.run, run.facts, run.clock)) {
        HostIndex index{std::move(host.host), std::move(host.ranks), host.window, {}, {}};
        index.changes = runningRanks(host.pauses, host.window);
        if (index.changes.size() < 2) {
            continue;  // nothing stood still
        }
        std::vector<std::uint64_t> running;
        running.reserve(index.changes.size());
        std::ranges::transform(index.changes, std::back_inserter(running), &RunningRanks::running);
        index.lod = StepLod(running);
        indexed.push_back(std::move(index));
    }
    return indexed;
}

}  // namespace

std::shared_ptr<const RunIndex> buildRunIndex(const AnalysedRun& run) {
    auto index = std::make_shared<RunIndex>();
    for (std::size_t order = 0; order < kRankOrderCount; ++order) {
        index->orders[order] = orderedRanks(run, static_cast<RankOrder>(order));
    }
    index->alike = alikeRanks(run);
    index->collectives = CollectiveIndex(run.facts.collectives);
    index->hosts = indexHosts(run);
    return index;
}

namespace {

void addSteps(const RankFacts& facts, FactIndex& index) {
    index.steps.reserve(facts.steps.size());
    for (RankStepPosition s{0}; s < facts.steps.size(); ++s) {
        const RankStep& step = facts.steps[s];
        index.steps.push_back({step.span, step.index, s, step.complete});
        for (std::uint32_t g = 0; g < step.gaps.size(); ++g) {
            const Gap& gap = step.gaps[g];
            if (gap.span.length() >= kShownGapNs) {
                index.gaps.push_back({gap.span, s, g, gap.device, 0});
            }
        }
    }
    std::ranges::sort(index.gaps, {}, &DrawnGap::span);
    DurationNs before = 0;
    for (DrawnGap& gap : index.gaps) {
        gap.before_ns = before;
        before += gap.span.length();
    }
    std::ranges::sort(index.steps, {}, &DrawnStep::span);
}

}  // namespace

std::shared_ptr<const FactIndex> buildFactIndex(const RankFacts& facts) {
    auto index = std::make_shared<FactIndex>();
    index->overlap = IntervalLod(facts.overlap.spans());
    index->exposed = IntervalLod(facts.exposed_communication.spans());
    index->busy = facts.compute.unite(facts.communication).unite(facts.copy);
    index->busy_lod = IntervalLod(index->busy.spans());
    addSteps(facts, *index);
    return index;
}

std::shared_ptr<const CounterIndex> buildCounterIndex(const AnalysedRun& run, RankPosition rank) {
    const RankTrace& trace = *run.run->ranks[rank];
    return indexOf(countersOf(trace, run.facts, rank), trace.window);
}

std::shared_ptr<const CounterIndex> buildCounterIndex(const AnalysedRun& run, const std::atomic<bool>& stop) {
    TimeSpan window{run.clock.base_ns, run.clock.base_ns};
    for (RankPosition rank{0}; rank < run.clock.ranks.size(); ++rank) {
        const TimeNs end_ns = run.clock.ranks[rank].toRun(FileTime(run.run->ranks[rank]->window.end_ns));
        window.end_ns = std::max(window.end_ns, end_ns);
    }
    std::vector<CounterSeries> series = countersOfRun(*run.run, run.facts, run.clock, stop);
    return stop ? nullptr : indexOf(std::move(series), window);
}

namespace {

// Drops the jobs whose key is not among `wanted`.
template <class Jobs>
void keepOnly(const std::set<const void*>& wanted, Jobs& jobs) {
    std::erase_if(jobs, [&](const auto& entry) {
        const bool unwanted = !wanted.contains(entry.first);
        if (unwanted) {
            entry.second->stop = true;
        }
        return unwanted;
    });
}

}  // namespace

IndexStore::IndexStore(QObject* parent) : QObject(parent) {
    tell_.setSingleShot(true);
    tell_.setInterval(kTellEveryMs);
    connect(&tell_, &QTimer::timeout, this, &IndexStore::built);
}

IndexStore::~IndexStore() {
    keepOnly({}, ranks_);
    keepOnly({}, facts_);
    keepOnly({}, counters_);
    keepOnly({}, run_counters_);
    keepOnly({}, runs_);
    pool_.clear();
    pool_.waitForDone();
}

template <class Index, class Build>
void IndexStore::start(Jobs<Index>& jobs, const void* key, const std::shared_ptr<const void>& source, Build build) {
    if (jobs.contains(key)) {
        return;
    }
    auto job = std::make_shared<Job<Index>>();
    job->source = source;
    jobs.emplace(key, job);
    pool_.start([this, job, build = std::move(build)] {
        if (!job->stop) {
            job->result = build(job->stop);
        }
        if (!job->stop) {
            // Runs on the GUI thread; the store waits for its jobs before it dies, so `this` is alive here.
            QMetaObject::invokeMethod(
                this, [this, job] { collect(job); }, Qt::QueuedConnection);
        }
    });
}

void IndexStore::dropUnwanted() {
    std::set<const void*> wanted;
    std::set<const void*> with_counters;
    for (const auto& [viewer, ranks] : wanted_) {
        for (const RankSource& rank : ranks) {
            wanted.insert({rank.trace.get(), rank.facts, rank.run.get()});
            if (rank.counters) {
                with_counters.insert(rank.facts);
            }
            if (rank.run_counters) {
                with_counters.insert(rank.run.get());
            }
        }
    }
    keepOnly(with_counters, counters_);
    keepOnly(with_counters, run_counters_);
    keepOnly(wanted, ranks_);
    keepOnly(wanted, facts_);
    keepOnly(wanted, runs_);
}

void IndexStore::forget(const void* viewer) {
    wanted_.erase(viewer);
    dropUnwanted();
}

void IndexStore::want(const std::vector<RankSource>& ranks, const void* viewer) {
    wanted_[viewer] = ranks;
    dropUnwanted();
    for (const RankSource& rank : ranks) {
        start(runs_, rank.run.get(), rank.run,
              [run = rank.run.get()](const std::atomic<bool>&) { return buildRunIndex(*run); });
    }
    for (const RankSource& rank : ranks) {
        if (rank.trace != nullptr) {
            start(ranks_, rank.trace.get(), rank.trace,
                  [trace = rank.trace.get()](const std::atomic<bool>& stop) { return buildRankIndex(*trace, stop); });
        }
    }
    for (const RankSource& rank : ranks) {
        if (rank.facts != nullptr) {
            start(facts_, rank.facts, rank.run,
                  [facts = rank.facts](const std::atomic<bool>&) { return buildFactIndex(*facts); });
        }
        wantCounters(rank);
    }
}

void IndexStore::wantCounters(const RankSource& rank) {
    if (rank.counters && rank.facts != nullptr) {
        start(counters_, rank.facts, rank.run,
              [run = rank.run.get(), at = rank.rank](const std::atomic<bool>&) { return buildCounterIndex(*run, at); });
    }
    if (rank.run_counters) {
        start(run_counters_, rank.run.get(), rank.run,
              [run = rank.run.get()](const std::atomic<bool>& stop) { return buildCounterIndex(*run, stop); });
    }
}

template <class Index>
void IndexStore::collect(const std::shared_ptr<Job<Index>>& job) {
    if (job->stop || job->index != nullptr || job->result == nullptr) {
        return;
    }
    job->index = job->result;
    if (!tell_.isActive()) {
        tell_.start();
    }
}

std::shared_ptr<const RankIndex> IndexStore::find(const RankTrace* rank) const {
    const auto job = ranks_.find(rank);
    return job != ranks_.end() ? job->second->index : nullptr;
}

std::shared_ptr<const FactIndex> IndexStore::find(const RankFacts* facts) const {
    const auto job = facts_.find(facts);
    return job != facts_.end() ? job->second->index : nullptr;
}

std::shared_ptr<const CounterIndex> IndexStore::findCounters(const RankFacts* facts) const {
    const auto job = counters_.find(facts);
    return job != counters_.end() ? job->second->index : nullptr;
}

std::shared_ptr<const CounterIndex> IndexStore::findCounters(const AnalysedRun* run) const {
    const auto job = run_counters_.find(run);
    return job != run_counters_.end() ? job->second->index : nullptr;
}

std::shared_ptr<const RunIndex> IndexStore::find(const AnalysedRun* run) const {
    const auto job = runs_.find(run);
    return job != runs_.end() ? job->second->index : nullptr;
}

void IndexStore::finish() {
    pool_.waitForDone();
    for (const auto& [key, job] : Jobs<RankIndex>(ranks_)) {
        collect(job);
    }
    for (const auto& [key, job] : Jobs<FactIndex>(facts_)) {
        collect(job);
    }
    for (const auto& [key, job] : Jobs<CounterIndex>(counters_)) {
        collect(job);
    }
    for (const auto& [key, job] : Jobs<CounterIndex>(run_counters_)) {
        collect(job);
    }
    for (const auto& [key, job] : Jobs<RunIndex>(runs_)) {
        collect(job);
    }
    if (tell_.isActive()) {
        tell_.stop();
        Q_EMIT built();
    }
}

}  // namespace rankscope::ui
