// SPDX-License-Identifier: GPL-3.0-or-later
//
// All facts and findings against the ingest of the same files, in one run: at most a quarter of it. Then what
// efficiency and memory cost of them, and that with fits of transfers, statistics over ranks, the health check and the
// step by the size of buckets, which the window and the reports always have: at most a tenth of all else. Measured are
// the largest real traces, or what is given: bench_analysis [PATH...], each a file or a folder.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/collectives/transfer_statistics.h"
#include "core/analysis/find_facts.h"
#include "core/analysis/run_facts.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/frame/wording.h"
#include "core/diagnosis/prices/attribution.h"
#include "core/diagnosis/prices/forecast_buckets.h"
#include "core/ingest/load.h"
#include "core/report/check/check.h"
#include "core/report/tables/rank_statistics.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;

/// Processor time of this program in ms: on one thread what a clock shows, but for the machine's other work.
double processorMs() {
    return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

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

double worst_ratio = 0;

void analysisOverIngest(benchmark::State& state, const fs::path& folder) {
    const Discovery found = discoverRuns({folder.string()});
    double ingest_ms = std::numeric_limits<double>::max();
    double analysis_ms = std::numeric_limits<double>::max();
    std::size_t slices = 0;
    for (auto _ : state) {
        LoadObserver observer;
        LoadOptions one_thread;
        one_thread.threads = 1;
        const double start_ms = processorMs();
        Result<Run> run = loadRun(found.runs.at(0), one_thread, observer, {});
        const double loaded_ms = processorMs();
        AnalysisOptions options;
        options.threads = 1;
        const auto analysed = analyseRun(std::make_shared<const Run>(std::move(run).value()), options, {}, {});
        const double analysed_ms = processorMs();
        ingest_ms = std::min(ingest_ms, loaded_ms - start_ms);
        analysis_ms = std::min(analysis_ms, analysed_ms - loaded_ms);
        slices = 0;
        for (const auto& rank : analysed.value().run->ranks) {
            for (const Track& track : rank->tracks) {
                slices += track.slices.size();
            }
        }
    }
    worst_ratio = std::max(worst_ratio, analysis_ms / ingest_ms);
    state.counters["slices"] = static_cast<double>(slices);
    state.counters["ingest_ms"] = ingest_ms;
    state.counters["analysis_ms"] = analysis_ms;
    state.counters["analysis_over_ingest"] = analysis_ms / ingest_ms;
}

/// The least time of each part of what efficiency adds to a run, in ms.
class PartTimes {
  public:
    /// Runs a part once.
    template <class Part>
    void measure(const char* name, const Part& part) {
        const double start_ms = processorMs();
        benchmark::DoNotOptimize(part());
        const double ms = processorMs() - start_ms;
        const auto [at, is_new] = least_ms_.try_emplace(name, ms);
        at->second = is_new ? ms : std::min(at->second, ms);
    }
    [[nodiscard]] double of(const std::string& name) const { return least_ms_.at(name); }
    [[nodiscard]] double sumOf(const std::vector<std::string>& names) const {
        double sum_ms = 0;
        for (const std::string& name : names) {
            sum_ms += of(name);
        }
        return sum_ms;
    }
    void tell(benchmark::State& state) const {
        for (const auto& [name, ms] : least_ms_) {
            state.counters[name + "_ms"] = ms;
        }
    }

  private:
    std::map<std::string, double> least_ms_;
};

double worst_share = 0;
double worst_whole_share = 0;

/// The step by the size of buckets, with prices of its own: those that the rules have asked for before are not there.
std::optional<BucketForecast> bucketsOf(const Run& run, const AnalysisResult& analysed) {
    const Pricer pricer(analysed.facts, analysed.clock, analysed.model, {});
    Attribution attribution(pricer, analysed.facts, 1);
    const std::shared_ptr<const Wording> wording = Wording::builtIn();
    return forecastBuckets(
        {run, analysed.facts, analysed.clock, analysed.work, pricer, attribution, wording->advice, wording->sentences});
}

/// Efficiency, memory, fits, buckets, statistics and the health check once more, of facts that have them.
void efficiencyOverAnalysis(benchmark::State& state, const fs::path& folder) {
    const Discovery found = discoverRuns({folder.string()});
    LoadObserver observer;
    Result<Run> loaded = loadRun(found.runs.at(0), {}, observer, {});
    const auto run = std::make_shared<const Run>(std::move(loaded).value());
    AnalysisOptions options;
    options.threads = 1;
    const Result<AnalysisResult> facts = analyseFacts(*run, options, {}, {});
    const Result<AnalysedRun> analysed = analyseRun(run, options, {}, {});
    PartTimes parts;
    for (auto _ : state) {
        parts.measure("analysis", [&] { return analyseRun(run, options, {}, {}); });
        parts.measure("buckets", [&] { return bucketsOf(*run, facts.value()); });
        parts.measure("efficiency",
                      [&] { return measureEfficiency(*run, facts.value().facts, facts.value().work, options); });
        parts.measure("memory", [&] { return findMemory(facts.value().work, facts.value().facts, 1); });
        parts.measure("fits", [&] { return fitTransfers(facts.value().facts.collectives.collectives); });
        parts.measure("statistics", [&] { return report::rankStatistics(analysed.value()); });
        parts.measure("check", [&] { return report::checkOf(analysed.value()); });
    }
    const double within_ms = parts.sumOf({"efficiency", "memory", "fits"});  // of the analysis itself
    const double rest_ms = parts.of("analysis") - within_ms;
    const double both_ms = parts.sumOf({"efficiency", "memory"});
    const double whole_share = (within_ms + parts.sumOf({"statistics", "check", "buckets"})) / rest_ms;
    worst_share = std::max(worst_share, both_ms / (parts.of("analysis") - both_ms));
    worst_whole_share = std::max(worst_whole_share, whole_share);
    parts.tell(state);
    state.counters["over_the_rest"] = whole_share;
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    using namespace rankscope::bench;
    namespace fs = std::filesystem;
    // Whether the heap gives memory back between two analyses, and takes it again page by page, is by its history, and
    // costs more than what is compared here.
    constexpr int kNever = 1 << 30;
    mallopt(M_TRIM_THRESHOLD, kNever);
    mallopt(M_MMAP_THRESHOLD, kNever);
    benchmark::Initialize(&argc, argv);
    const std::vector<fs::path> given(argv + 1, argv + argc);
    for (const auto& folder : given.empty() ? runFolders() : given) {
        benchmark::RegisterBenchmark(folder.filename().string().c_str(), analysisOverIngest, folder)
            ->Unit(benchmark::kMillisecond)
            ->Iterations(5);
        benchmark::RegisterBenchmark((folder.filename().string() + "/efficiency").c_str(), efficiencyOverAnalysis,
                                     folder)
            ->Unit(benchmark::kMillisecond)
            ->Iterations(40);
    }
    benchmark::RunSpecifiedBenchmarks();
    std::printf("\n%-72s %.2f\n", "facts and findings over ingest, the worst run (at most 0.25)", worst_ratio);
    std::printf("%-72s %.2f\n", "efficiency and memory over all else, the worst run (at most 0.10)", worst_share);
    std::printf("%-72s %.2f\n", "all that efficiency adds over all else, the worst run (at most 0.10)",
                worst_whole_share);
    return 0;
}
