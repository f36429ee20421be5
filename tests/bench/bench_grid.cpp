// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a rank of a large grid costs: a job of 8 x 16 x 8 (data, pipeline, tensor), 1,024 ranks of few slices, loaded
// and analysed, over the same of a job of 4 x 4 x 4. Per rank it should cost at most 1.5 times as much, in time and
// memory.
#include <unistd.h>
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/ingest/load.h"
#include "tests/bench/in_child.h"
#include "tests/bench/memory_use.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;
namespace machine = tracegen::machine;

constexpr unsigned kLimitSeconds = 600;

/// data x pipeline x tensor.
struct Grid {
    int data = 1;
    int pipeline = 1;
    int tensor = 1;
    [[nodiscard]] int ranks() const { return data * pipeline * tensor; }
};

/// Of one rank.
struct Costs {
    double load_s = 0;
    double analysis_s = 0;
    double resident_bytes = 0;
    double pipelines = 0;  ///< that were recognised, of the whole run
};

/// As many micro-batches, and a layer a stage: a rank has as many slices in every grid.
machine::Config configOf(const Grid& grid) {
    machine::Config config = machine::jobConfig("scale", 1);
    machine::JobSpec job = *config.job;
    job.data = grid.data;
    job.pipeline = grid.pipeline;
    job.tensor = grid.tensor;
    job.layers = grid.pipeline;
    job.micro_batches = 2;
    machine::resizeJob(config, job.ranks());
    config.job = job;
    return config;
}

Figures measureFiles(const fs::path& folder, double ranks) {
    const std::uint64_t before = residentBytes();
    const Discovery found = discoverRuns({folder.string()});
    LoadObserver observer;
    const double start = processorSeconds();
    Result<Run> run = loadRun(found.runs.at(0), {}, observer, {});
    const double loaded = processorSeconds();
    Result<AnalysedRun> analysed = analyseRun(std::make_shared<const Run>(std::move(run).value()), {}, {}, {});
    const double done = processorSeconds();
    resetPeak();
    const auto resident = static_cast<double>(residentBytes() - before);
    double pipelines = 0;
    for (const Pipeline& pipeline : analysed.value().facts.pipeline.pipelines) {
        pipelines += pipeline.schedule ? 1 : 0;
    }
    return {(loaded - start) / ranks, (done - loaded) / ranks, resident / ranks, pipelines};
}

std::optional<Costs> measure(const Grid& grid) {
    const fs::path folder = fs::temp_directory_path() / ("rankscope-bench-grid-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const auto written = inChild(kLimitSeconds, [&] {
        machine::writeFiles(machine::simulate(configOf(grid)), {}, folder, false);
        return Figures{1};
    });
    const auto f = written ? inChild(kLimitSeconds, [&] { return measureFiles(folder, grid.ranks()); }) : written;
    fs::remove_all(folder);
    if (!f) {
        std::printf("%d ranks: not within %u s, or crashed\n", grid.ranks(), kLimitSeconds);
        return std::nullopt;
    }
    const Costs costs{(*f)[0], (*f)[1], (*f)[2], (*f)[3]};
    std::printf("%d x %d x %d: load %.2f ms, analysis %.2f ms, resident %.2f MB a rank; %.0f pipelines told\n",
                grid.data, grid.pipeline, grid.tensor, 1e3 * costs.load_s, 1e3 * costs.analysis_s,
                costs.resident_bytes / 1e6, costs.pipelines);
    return costs;
}

/// The lines that floors.json names. What could not be measured has the ratio 999.
void printRatio(const std::string& what, double over, double under) {
    std::printf("%-72s %.2f\n", ("8 x 16 x 8: " + what).c_str(), under > 0 && over >= 0 ? over / under : 999.0);
}

}  // namespace
}  // namespace rankscope::bench

int main() {
    using namespace rankscope::bench;
    const Costs failed{-1, -1, -1, 0};
    const Grid large{8, 16, 8};
    const Costs few = measure({4, 4, 4}).value_or(failed);
    const Costs many = measure(large).value_or(failed);
    printRatio("analysis of a rank over that in 4 x 4 x 4", many.analysis_s, few.analysis_s);
    printRatio("memory of a rank over that in 4 x 4 x 4", many.resident_bytes, few.resident_bytes);
    printRatio("pipelines whose schedule is told, of all", many.pipelines, large.data * large.tensor);
    return 0;
}
