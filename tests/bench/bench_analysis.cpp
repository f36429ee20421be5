// SPDX-License-Identifier: GPL-3.0-or-later
//
// All facts and findings against the ingest of the same files, in one run: at most a quarter of it.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "core/diagnosis/analysed_run.h"
#include "core/ingest/load.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

/// The runs that are measured: the largest real ones, else the bundled ones.
std::vector<fs::path> runFolders() {
    std::vector<fs::path> folders;
    for (const char* name : {"resnet_ddp_4ranks_rocm", "hta/df_index_resolver", "resnet50_workers/ZeroWorkers",
                             "tracelens/xdit_flux_stress.json.gz"}) {
        if (fs::exists(fs::path(RANKSCOPE_TRACES) / name)) {
            folders.push_back(fs::path(RANKSCOPE_TRACES) / name);
        }
    }
    if (folders.empty()) {
        folders.push_back(fs::path(RANKSCOPE_SOURCE_DIR) / "resources/samples/ZeroWorkers");
    }
    return folders;
}

void analysisOverIngest(benchmark::State& state, const fs::path& folder) {
    const Discovery found = discoverRuns({folder.string()});
    double ingest_s = 0;
    double analysis_s = 0;
    for (auto _ : state) {
        LoadObserver observer;
        LoadOptions one_thread;
        one_thread.threads = 1;
        const auto start = Clock::now();
        Result<Run> run = loadRun(found.runs.at(0), one_thread, observer, {});
        const auto loaded = Clock::now();
        AnalysisOptions options;
        options.threads = 1;
        const auto analysed = analyseRun(std::make_shared<const Run>(std::move(run).value()), options, {}, {});
        benchmark::DoNotOptimize(analysed.ok());
        ingest_s += std::chrono::duration<double>(loaded - start).count();
        analysis_s += std::chrono::duration<double>(Clock::now() - loaded).count();
    }
    state.counters["ingest_ms"] = 1e3 * ingest_s / static_cast<double>(state.iterations());
    state.counters["analysis_ms"] = 1e3 * analysis_s / static_cast<double>(state.iterations());
    state.counters["analysis_over_ingest"] = analysis_s / ingest_s;
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    using namespace rankscope::bench;
    for (const auto& folder : runFolders()) {
        benchmark::RegisterBenchmark(folder.filename().string().c_str(), analysisOverIngest, folder)
            ->Unit(benchmark::kMillisecond)
            ->Iterations(5);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    std::puts("\nanalysis_over_ingest: at most 0.25");
    return 0;
}
