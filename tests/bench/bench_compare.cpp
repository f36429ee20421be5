// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finding the counterpart of every slice of a run in another, against the ingest of both, in one run: at most as long.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "core/compare/compare_runs.h"
#include "core/compare/pairing/counterparts.h"
#include "core/ingest/load.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

struct Pair {
    const char* name;
    fs::path a;
    fs::path b;
};

/// Real pairs where they are, and the bundled one.
std::vector<Pair> pairs() {
    std::vector<Pair> found;
    const fs::path traces = RANKSCOPE_TRACES;
    for (const Pair& pair :
         {Pair{"resnet50_workers", traces / "resnet50_workers/ZeroWorkers", traces / "resnet50_workers/FourWorkers"},
          Pair{"trace_diff", traces / "hta/trace_diff/control", traces / "hta/trace_diff/test"},
          Pair{"timesformer", traces / "tracelens/timesformer_h100.json.gz",
               traces / "tracelens/timesformer_mi300.json.gz"}}) {
        if (fs::exists(pair.a) && fs::exists(pair.b)) {
            found.push_back(pair);
        }
    }
    const fs::path samples = fs::path(RANKSCOPE_SOURCE_DIR) / "resources/samples";
    found.push_back({"bundled", samples / "ZeroWorkers", samples / "FourWorkers"});
    return found;
}

Run loaded(const fs::path& path) {
    LoadObserver observer;
    LoadOptions one_thread;
    one_thread.threads = 1;
    return loadRun(discoverRuns({path.string()}).runs.at(0), one_thread, observer, {}).value();
}

AnalysedRun analysed(Run run) {
    AnalysisOptions options;
    options.threads = 1;
    return analyseRun(std::make_shared<const Run>(std::move(run)), options, {}, {}).value();
}

double seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

void counterpartsOverIngest(benchmark::State& state, const Pair& pair) {
    double ingest_s = 0;
    double compare_s = 0;
    double match_s = 0;
    std::size_t slices = 0;
    std::size_t found = 0;
    for (auto _ : state) {
        const auto start = Clock::now();
        Run run_a = loaded(pair.a);
        Run run_b = loaded(pair.b);
        const auto read = Clock::now();
        const AnalysedRun a = analysed(std::move(run_a));
        const AnalysedRun b = analysed(std::move(run_b));
        const auto ready = Clock::now();
        benchmark::DoNotOptimize(compareRuns(a, b).step.difference_ns);
        const auto compared = Clock::now();
        Counterparts counterparts(a, b);
        slices = 0;
        found = 0;
        for (RankPosition r{0}; r < a.run->ranks.size(); ++r) {
            for (std::uint32_t t = 0; t < a.run->ranks[r]->tracks.size(); ++t) {
                const auto count = static_cast<SliceIndex>(a.run->ranks[r]->tracks[t].slices.size());
                for (SliceIndex i = 0; i < count; ++i) {
                    found += counterparts.ofSlice({r, {TrackId(t), i}}).place ? 1U : 0U;
                }
                slices += count;
            }
        }
        ingest_s += seconds(start, read);
        compare_s += seconds(ready, compared);
        match_s += seconds(compared, Clock::now());
    }
    state.counters["slices"] = static_cast<double>(slices);
    state.counters["found"] = static_cast<double>(found);
    state.counters["ingest_ms"] = 1e3 * ingest_s / static_cast<double>(state.iterations());
    state.counters["counterparts_over_ingest"] = match_s / ingest_s;
    state.counters["compare_over_ingest"] = compare_s / ingest_s;
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    using namespace rankscope::bench;
    for (const auto& pair : pairs()) {
        benchmark::RegisterBenchmark(pair.name, counterpartsOverIngest, pair)
            ->Unit(benchmark::kMillisecond)
            ->Iterations(3);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    std::puts("\ncounterparts_over_ingest: at most 1");
    return 0;
}
