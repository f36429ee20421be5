// SPDX-License-Identifier: GPL-3.0-or-later
//
// The search over all ranks of a large run, in slices a second: a name that is rare, one that is everywhere, and none.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <memory>
#include <string>

#include "core/analysis/tables/search_slices.h"

namespace rankscope::bench {
namespace {

constexpr std::uint32_t kRanks = 64;
constexpr std::uint32_t kTracks = 4;
constexpr std::uint32_t kNames = 2'000;

std::shared_ptr<const RankTrace> makeRank(std::uint32_t slices_a_track) {
    auto rank = std::make_shared<RankTrace>();
    for (std::uint32_t name = 0; name < kNames; ++name) {
        (void)rank->strings.intern("void at::native::vectorized_elementwise_kernel<4, functor_" + std::to_string(name));
    }
    const StringId rare = rank->strings.intern("ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
    for (std::uint32_t t = 0; t < kTracks; ++t) {
        Track track;
        track.slices.resize(slices_a_track);
        for (std::uint32_t i = 0; i < slices_a_track; ++i) {
            track.slices.start_ns[i] = TimeNs{i} * 1'000 + t;
            track.slices.end_ns[i] = track.slices.start_ns[i] + 900;
            track.slices.name[i] = i % 10'000 == 0 ? rare : StringId((i * 7) % kNames);
        }
        rank->tracks.push_back(std::move(track));
    }
    return rank;
}

/// All ranks share one trace: the search reads each all the same.
const Run& runOf(std::uint32_t slices) {
    static std::uint32_t of = 0;
    static Run run;
    if (of != slices) {
        of = slices;
        run.ranks.assign(kRanks, makeRank(slices / kRanks / kTracks));
    }
    return run;
}

void search(benchmark::State& state, const char* text) {
    const auto slices = static_cast<std::uint32_t>(state.range(0));
    const Run& run = runOf(slices);
    RunClock clock;
    clock.ranks.resize(kRanks);
    std::uint64_t total = 0;
    for (auto _ : state) {
        const Result<SearchHits> found = searchSlices(run, clock, text, {}, {});
        total = found.value().total;
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(slices));
    state.counters["hits"] = static_cast<double>(total);
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    using namespace rankscope::bench;
    for (const auto& [name, text] : {std::pair("search/rare", "allreduce"), std::pair("search/tenth", "functor_1"),
                                     std::pair("search/all", "kernel"), std::pair("search/none", "conv2d")}) {
        benchmark::RegisterBenchmark(name, search, text)
            ->Arg(200'000)
            ->Arg(2'000'000)
            ->Arg(20'000'000)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    std::puts("\nitems_per_second: slices searched a second");
    return 0;
}
