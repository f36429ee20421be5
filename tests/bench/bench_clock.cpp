// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fitting one clock for all ranks: what a collective of one rank costs, and whether that grows with the ranks.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "core/clock/run_clock.h"
#include "tests/unit/clock/planted_matches.h"

namespace rankscope::bench {
namespace {

void fitOneClock(benchmark::State& state) {
    test::Plan plan;
    plan.ranks = static_cast<std::size_t>(state.range(0));
    plan.steps = 250;
    plan.collectives = 20;
    for (std::size_t rank = 0; rank < plan.ranks; ++rank) {
        plan.clocks.push_back({static_cast<DurationNs>(rank) * 70'000, 0.3 * static_cast<double>(rank)});
    }
    const test::PlantedRun run = test::plant(plan, 1);
    for (auto _ : state) {
        benchmark::DoNotOptimize(alignClocks(run.run, run.matches, {}));
    }
    state.counters["matches"] = static_cast<double>(run.matches.size());
    state.SetItemsProcessed(static_cast<std::int64_t>(run.matches.size() * plan.ranks) * state.iterations());
}
BENCHMARK(fitOneClock)->Name("fit_one_clock")->Arg(2)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    std::puts("\nitems_per_second: ends of collectives, one a rank; it should not fall with the ranks");
    return 0;
}
