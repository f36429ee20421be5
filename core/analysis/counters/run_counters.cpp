// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counters/run_counters.h"

#include <array>
#include <map>
#include <utility>

#include "core/analysis/counters/counter_changes.h"

namespace rankscope {
namespace {

constexpr std::int32_t kNoDevice = -1;
using ChangesByKind = std::map<CounterKind, std::vector<Change>>;

void addOnRunClock(const ChangesByDevice& of_rank, const RankClock& clock, std::vector<Change>& changes) {
    for (const auto& [device, of_device] : of_rank) {
        for (const Change& change : of_device) {
            changes.push_back({clock.toRun(FileTime(change.at_ns)), change.by});
        }
    }
}

void addTotals(const std::vector<CounterSeries>& of_rank, const RankClock& clock, std::vector<Change>& changes) {
    for (const CounterSeries& series : of_rank) {
        std::int64_t before = 0;
        for (std::size_t i = 0; i < series.at_ns.size(); ++i) {
            const auto value = static_cast<std::int64_t>(series.value[i]);
            changes.push_back({clock.toRun(FileTime(series.at_ns[i])), value - std::exchange(before, value)});
        }
    }
}

void addCollectives(const CollectiveFacts& facts, const RunClock& clock, std::vector<Change>& changes) {
    for (const Collective& collective : facts.collectives) {
        if (!collective.bytes || !collective.transfer_ns) {
            continue;
        }
        const DurationNs transfer_ns = *collective.transfer_ns;
        for (const CollectiveMember& member : collective.members) {
            const RankClock& of_rank = clock.ranks[member.rank];
            addSpan({of_rank.toRun(FileTime(member.span.end_ns - transfer_ns)),
                     of_rank.toRun(FileTime(member.span.end_ns))},
                    rateOf(*collective.bytes, transfer_ns), changes);
        }
    }
}

void addRank(const RankTrace& trace, const RankFacts& facts, const RankClock& clock, ChangesByKind& changes) {
    addOnRunClock(copyRate(trace), clock, changes[CounterKind::CopyRate]);
    addOnRunClock(exposedShare(facts), clock, changes[CounterKind::ExposedShare]);
    for (const auto& [kind, totals] : {std::pair(CounterKind::MemoryAllocated, &trace.memory.total_allocated),
                                       std::pair(CounterKind::MemoryReserved, &trace.memory.total_reserved)}) {
        addTotals(allocatorSeries(trace.memory, kind, *totals), clock, changes[kind]);
    }
}

/// `sum` divided by `ranks`, rounded down.
CounterSeries meanOf(const CounterSeries& sum, std::size_t ranks) {
    CounterSeries mean{sum.kind, sum.device, {}, {}};
    for (std::size_t i = 0; i < sum.at_ns.size(); ++i) {
        const std::uint64_t value = sum.value[i] / ranks;
        if (value != (mean.value.empty() ? 0 : mean.value.back())) {
            mean.at_ns.push_back(sum.at_ns[i]);
            mean.value.push_back(value);
        }
    }
    return mean;
}

}  // namespace

RunCounterBy runCounterBy(CounterKind kind) {
    return kind == CounterKind::ExposedShare ? RunCounterBy::Mean : RunCounterBy::Sum;
}

std::vector<CounterSeries> countersOfRun(const Run& run, const RunFacts& facts, const RunClock& clock,
                                         const std::atomic<bool>& stop) {
    std::vector<CounterSeries> all;
    if (facts.ranks.size() != run.ranks.size() || clock.ranks.size() != run.ranks.size()) {
        return all;
    }
    ChangesByKind changes;
    addCollectives(facts.collectives, clock, changes[CounterKind::CollectiveRate]);
    for (RankPosition rank{0}; rank < run.ranks.size(); ++rank) {
        if (stop) {
            return all;
        }
        addRank(*run.ranks[rank], facts.ranks[rank], clock.ranks[rank], changes);
    }
    for (auto& [kind, of_kind] : changes) {
        CounterSeries series = seriesOf(kind, kNoDevice, std::move(of_kind));
        if (runCounterBy(kind) == RunCounterBy::Mean) {
            series = meanOf(series, run.ranks.size());
        }
        if (!series.at_ns.empty()) {
            all.push_back(std::move(series));
        }
    }
    return all;
}

}  // namespace rankscope
