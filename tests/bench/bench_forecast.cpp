// SPDX-License-Identifier: GPL-3.0-or-later
//
// One forecast of a run of 4 ranks with 2,000 kernels in each step: for each kind of change that it can tell, and
// for three at once. It should take at most 100 ms, so that it follows a slider.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/ingest/load.h"
#include "core/whatif/singles.h"
#include "core/whatif/what_if_run.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kRanks = 4;
constexpr int kSteps = 5;
constexpr int kLayers = 300;
constexpr double kTargetMs = 100;

/// Processor time of this program in ms: on one thread what a clock shows, but for the machine's other work.
double processorMs() {
    return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::shared_ptr<const WhatIfRun> prepared() {
    const fs::path folder = fs::temp_directory_path() / ("rankscope-bench-forecast-" + std::to_string(::getpid()));
    tracegen::Config config;
    config.ranks = kRanks;
    config.steps = kSteps;
    config.layers = kLayers;
    config.loader.workers = 0;
    tracegen::writeRun(config, folder, false);
    const Discovery found = discoverRuns({folder.string()});
    LoadObserver observer;
    Result<Run> run = loadRun(found.runs.at(0), {}, observer, {});
    fs::remove_all(folder);
    fs::remove(folder.string() + ".truth.json");
    const auto analysed = analyseRun(std::make_shared<const Run>(std::move(run).value()), {}, {}, {});
    return WhatIfRun::prepare(analysed.value()).value();
}

double worst_ms = 0;

void forecastOf(benchmark::State& state, const std::shared_ptr<const WhatIfRun>& run,
                const std::vector<WhatIfChange>& changes) {
    double least_ms = std::numeric_limits<double>::max();
    for (auto _ : state) {
        const double start_ms = processorMs();
        const Result<Forecast> forecast = run->forecast(changes);
        least_ms = std::min(least_ms, processorMs() - start_ms);
        if (!forecast.ok()) {
            state.SkipWithError(forecast.failed() ? forecast.error().cause.c_str() : "cancelled");
            return;
        }
    }
    state.counters["least_ms"] = least_ms;
    worst_ms = std::max(worst_ms, least_ms);
}

/// Those that the run can tell.
std::vector<std::vector<WhatIfChange>> measuredChanges(const WhatIfRun& run) {
    std::vector<std::vector<WhatIfChange>> all;
    for (const Forecast& forecast : trySingles(run).forecasts) {
        all.push_back(forecast.changes);
    }
    all.push_back(
        {parseWhatIf("loader:ready").value(), parseWhatIf("host:x2").value(), parseWhatIf("link:x2").value()});
    return all;
}

std::string nameOf(const std::vector<WhatIfChange>& changes) {
    std::string name;
    for (const WhatIfChange& change : changes) {
        name += (name.empty() ? "" : "+") + change.text;
    }
    return name;
}

/// Device work per step and rank.
std::size_t workOf(const WhatIfRun& run) {
    std::size_t events = 0;
    for (const ReplayModel& rank : run.model().ranks) {
        events += rank.events.size();
    }
    return events / static_cast<std::size_t>(kRanks * kSteps);
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    using namespace rankscope::bench;
    benchmark::Initialize(&argc, argv);
    const auto run = prepared();
    std::printf("%zu kernels, copies and collectives per step and rank\n", workOf(*run));
    for (const auto& changes : measuredChanges(*run)) {
        benchmark::RegisterBenchmark(nameOf(changes).c_str(),
                                     [run, changes](benchmark::State& state) { forecastOf(state, run, changes); })
            ->Unit(benchmark::kMillisecond)
            ->Iterations(5);
    }
    benchmark::RunSpecifiedBenchmarks();
    std::printf("\n%-72s %.2f\n", "forecast of 4 x 2,000 kernels a step over 100 ms, the slowest (at most 1)",
                worst_ms / kTargetMs);
    return 0;
}
