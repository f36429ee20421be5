// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/index_store.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/analysis/counters/run_counters.h"
#include "core/diagnosis/evidence/stall_pattern.h"

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
    index->listed = RankTracks(rank);
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
            continue;  // no rank stalled
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

template <class Jobs>
void drop(const void* key, Jobs& jobs) {
    if (const auto job = jobs.find(key); job != jobs.end()) {
        job->second->stop = true;
        jobs.erase(job);
    }
}

template <class Jobs>
void stopAll(const Jobs& jobs) {
    for (const auto& [key, job] : jobs) {
        job->stop = true;
    }
}

}  // namespace

IndexStore::IndexStore(QObject* parent) : QObject(parent) {
    tell_.setSingleShot(true);
    tell_.setInterval(kTellEveryMs);
    connect(&tell_, &QTimer::timeout, this, &IndexStore::built);
}

IndexStore::~IndexStore() {
    stopAll(ranks_);
    stopAll(facts_);
    stopAll(counters_);
    stopAll(run_counters_);
    stopAll(runs_);
    pool_.clear();
    pool_.waitForDone();
}

template <class Index, class Build>
void IndexStore::start(Jobs<Index>& jobs, const void* key, const std::shared_ptr<const void>& source, Build build,
                       Tasks& tasks) {
    std::shared_ptr<Job<Index>>& job = jobs[key];
    if (job != nullptr) {
        return;
    }
    job = std::make_shared<Job<Index>>();
    job->source = source;
    tasks.emplace_back([this, job, build = std::move(build)] {
        if (!job->stop) {
            job->result = build(job->stop);
        }
        if (!job->stop) {
            // Runs on the GUI thread; the store waits for its jobs before it is destroyed, so `this` is valid here.
            QMetaObject::invokeMethod(
                this, [this, job] { collect(job); }, Qt::QueuedConnection);
        }
    });
}

void IndexStore::run(Tasks tasks) {
    constexpr std::size_t kTimesAThread = 32;  // parts per thread, at least, so that no thread waits for the others
    const auto threads = static_cast<std::size_t>(pool_.maxThreadCount());
    const std::size_t at_a_time = 1 + tasks.size() / (threads * kTimesAThread);
    for (std::size_t first = 0; first < tasks.size(); first += at_a_time) {
        const auto from = std::make_move_iterator(tasks.begin() + static_cast<std::ptrdiff_t>(first));
        const std::size_t some = std::min(at_a_time, tasks.size() - first);
        pool_.start([some = Tasks(from, from + static_cast<std::ptrdiff_t>(some))] {
            for (const std::function<void()>& task : some) {
                task();
            }
        });
    }
}

IndexStore::Wanted IndexStore::keysOf(const std::vector<RankSource>& ranks) {
    Wanted wanted;
    const AnalysedRun* last = nullptr;
    for (const RankSource& rank : ranks) {
        for (const void* key : {static_cast<const void*>(rank.trace.get()), static_cast<const void*>(rank.facts)}) {
            if (key != nullptr) {
                wanted.keys.push_back(key);
            }
        }
        if (std::exchange(last, rank.run.get()) != rank.run.get()) {
            wanted.keys.push_back(rank.run.get());
        }
        if (rank.counters) {
            wanted.counters.push_back(rank.facts);
        }
        if (rank.run_counters) {
            wanted.counters.push_back(rank.run.get());
        }
    }
    return wanted;
}

void IndexStore::release(const Wanted& wanted) {
    for (const void* key : wanted.counters) {
        if (const auto uses = counter_uses_.find(key); --uses->second == 0) {
            counter_uses_.erase(uses);
            drop(key, counters_);
            drop(key, run_counters_);
        }
    }
    for (const void* key : wanted.keys) {
        if (const auto uses = uses_.find(key); --uses->second == 0) {
            uses_.erase(uses);
            drop(key, ranks_);
            drop(key, facts_);
            drop(key, runs_);
        }
    }
}

void IndexStore::forget(const void* viewer) {
    if (auto viewed = wanted_.extract(viewer)) {
        release(viewed.mapped());
    }
}

void IndexStore::want(const std::vector<RankSource>& ranks, const void* viewer) {
    Wanted wanted = keysOf(ranks);
    for (const void* key : wanted.keys) {
        ++uses_[key];
    }
    for (const void* key : wanted.counters) {
        ++counter_uses_[key];
    }
    release(std::exchange(wanted_[viewer], std::move(wanted)));
    Tasks tasks;
    const AnalysedRun* last = nullptr;
    for (const RankSource& rank : ranks) {
        if (std::exchange(last, rank.run.get()) != rank.run.get()) {
            start(
                runs_, rank.run.get(), rank.run,
                [run = rank.run.get()](const std::atomic<bool>&) { return buildRunIndex(*run); }, tasks);
        }
    }
    for (const RankSource& rank : ranks) {
        if (rank.trace != nullptr) {
            start(
                ranks_, rank.trace.get(), rank.trace,
                [trace = rank.trace.get()](const std::atomic<bool>& stop) { return buildRankIndex(*trace, stop); },
                tasks);
        }
    }
    for (const RankSource& rank : ranks) {
        if (rank.facts != nullptr) {
            start(
                facts_, rank.facts, rank.run,
                [facts = rank.facts](const std::atomic<bool>&) { return buildFactIndex(*facts); }, tasks);
        }
        wantCounters(rank, tasks);
    }
    run(std::move(tasks));
}

void IndexStore::wantCounters(const RankSource& rank, Tasks& tasks) {
    if (rank.counters && rank.facts != nullptr) {
        start(
            counters_, rank.facts, rank.run,
            [run = rank.run.get(), at = rank.rank](const std::atomic<bool>&) { return buildCounterIndex(*run, at); },
            tasks);
    }
    if (rank.run_counters) {
        start(
            run_counters_, rank.run.get(), rank.run,
            [run = rank.run.get()](const std::atomic<bool>& stop) { return buildCounterIndex(*run, stop); }, tasks);
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
