// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/clock/planted_matches.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace rankscope::test {
namespace {

constexpr TimeNs kEpoch = 1'763'690'562'000'000'123;

PlantedClock clockOf(const Plan& plan, std::size_t rank) {
    return rank < plan.clocks.size() ? plan.clocks[rank] : PlantedClock{};
}

/// Who arrives last to collective `index` of `step`.
std::size_t lastOf(const Plan& plan, std::size_t slow_rank, int step, Chance& chance) {
    switch (plan.last) {
        case LastArriver::OneRank: return slow_rank;
        case LastArriver::ARankAStep: return (slow_rank + static_cast<std::size_t>(step) * 7) % plan.ranks;
        default:
            return static_cast<std::size_t>(chance.between(std::int64_t{0}, static_cast<std::int64_t>(plan.ranks) - 1));
    }
}

/// Ends after the last start: those of a transfer, within a spread of each other, and the last arriver ends last.
void end(const Plan& plan, std::size_t last, Chance& chance, std::vector<TimeSpan>& spans) {
    const TimeNs last_start = std::ranges::max_element(spans, {}, &TimeSpan::start_ns)->start_ns;
    const TimeNs first_end = last_start + chance.between(plan.transfer_min_ns, plan.transfer_max_ns);
    const DurationNs spread = chance.between(plan.spread_min_ns, plan.spread_max_ns);
    for (std::size_t rank = 0; rank < plan.ranks; ++rank) {
        spans[rank].end_ns = first_end + (rank == last ? spread : chance.between(DurationNs{0}, spread));
    }
}

/// The collective in the queue behind `before`, in true time.
std::vector<TimeSpan> queuedCollective(const Plan& plan, const std::vector<TimeSpan>& before, Chance& chance) {
    std::vector<TimeSpan> spans(plan.ranks);
    for (std::size_t rank = 0; rank < plan.ranks; ++rank) {
        spans[rank].start_ns = before[rank].end_ns + 1'000;
    }
    const auto last = std::ranges::max_element(spans, {}, &TimeSpan::start_ns);
    end(plan, static_cast<std::size_t>(last - spans.begin()), chance, spans);
    return spans;
}

/// One collective in true time, begun at `ready_ns`.
std::vector<TimeSpan> collective(const Plan& plan, TimeNs ready_ns, std::size_t last, Chance& chance) {
    const DurationNs skew = plan.last == LastArriver::NearlyTogether ? 5'000 : plan.skew_ns;
    std::vector<TimeSpan> spans(plan.ranks);
    for (std::size_t rank = 0; rank < plan.ranks; ++rank) {
        spans[rank].start_ns = ready_ns + (rank == last ? skew : chance.between(DurationNs{0}, skew - 1));
    }
    end(plan, last, chance, spans);
    return spans;
}

}  // namespace

TimeNs PlantedRun::truth(std::size_t rank, TimeNs file_ns) const {
    const PlantedClock clock = clockOf(plan, rank);
    const double drift = static_cast<double>(file_ns - middle_ns) * clock.drift_ppm * 1e-6;
    return file_ns + clock.offset_ns + std::llround(drift);
}

TimeNs PlantedRun::file(std::size_t rank, TimeNs true_ns) const {
    const PlantedClock clock = clockOf(plan, rank);
    const double since = static_cast<double>(true_ns - clock.offset_ns - middle_ns) / (1 + clock.drift_ppm * 1e-6);
    return middle_ns + std::llround(since);
}

DurationNs PlantedRun::worstError(const RunClock& clock, RankPosition rank) const {
    DurationNs worst = 0;
    const RankPosition reference = clock.ranks[rank].reference;
    for (const TimeNs file_ns : {run.ranks[rank]->window.start_ns, run.ranks[rank]->window.end_ns}) {
        const TimeNs on_reference = file(reference, truth(rank, file_ns));
        worst = std::max<DurationNs>(worst, std::llabs(clock.ranks[rank].toRun(FileTime(file_ns)) - on_reference));
    }
    return worst;
}

PlantedRun plant(const Plan& plan, std::uint64_t seed) {
    Chance chance(seed);
    PlantedRun planted;
    planted.plan = plan;
    planted.middle_ns = kEpoch + plan.steps * plan.step_ns / 2;
    const auto slow_rank =
        static_cast<std::size_t>(chance.between(std::int64_t{0}, static_cast<std::int64_t>(plan.ranks) - 1));
    for (int step = 0; step < plan.steps; ++step) {
        std::vector<TimeSpan> spans;
        for (int index = 0; index < plan.collectives; ++index) {
            const TimeNs ready_ns = kEpoch + step * plan.step_ns + index * (plan.step_ns / plan.collectives);
            spans = plan.queued && index > 0
                        ? queuedCollective(plan, spans, chance)
                        : collective(plan, ready_ns, lastOf(plan, slow_rank, step, chance), chance);
            ClockMatch match;
            for (RankPosition rank{0}; rank < plan.ranks; ++rank) {
                match.members.push_back(
                    {rank, {planted.file(rank, spans[rank].start_ns), planted.file(rank, spans[rank].end_ns)}});
            }
            planted.matches.push_back(std::move(match));
        }
    }
    for (std::size_t rank = 0; rank < plan.ranks; ++rank) {
        auto trace = std::make_shared<RankTrace>();
        trace->rank = RankNumber(rank);
        trace->host = rank < plan.hosts.size() ? plan.hosts[rank] : "";
        trace->window = {planted.file(rank, kEpoch), planted.file(rank, kEpoch + plan.steps * plan.step_ns)};
        planted.run.ranks.push_back(std::move(trace));
    }
    return planted;
}

Plan anyPlan(std::uint64_t seed) {
    Chance chance(seed ^ 0x5eedU);
    Plan plan;
    plan.ranks = std::size_t{1} << static_cast<unsigned>(chance.between(std::int64_t{1}, std::int64_t{6}));
    plan.steps = static_cast<int>(chance.between(std::int64_t{3}, std::int64_t{10}));
    plan.collectives = static_cast<int>(chance.between(std::int64_t{3}, std::int64_t{20}));
    plan.step_ns = chance.between(DurationNs{100'000'000}, DurationNs{1'000'000'000});
    plan.skew_ns = chance.between(DurationNs{20'000}, DurationNs{20'000'000});
    plan.last = static_cast<LastArriver>(chance.between(std::int64_t{0}, std::int64_t{3}));
    plan.spread_min_ns = chance.between(DurationNs{2'000}, DurationNs{24'000});
    plan.spread_max_ns = chance.between(plan.spread_min_ns, DurationNs{24'000});
    if (seed % 2 == 0) {
        plan.spread_min_ns = 2'000;
        plan.spread_max_ns = 24'000;
    }
    plan.transfer_min_ns = chance.between(DurationNs{5'000}, DurationNs{1'000'000});
    plan.clocks.push_back({});
    for (std::size_t rank = 1; rank < plan.ranks; ++rank) {
        plan.clocks.push_back(
            {chance.between(DurationNs{-5'000'000}, DurationNs{5'000'000}), chance.between(-20.0, 20.0)});
    }
    return plan;
}

}  // namespace rankscope::test
