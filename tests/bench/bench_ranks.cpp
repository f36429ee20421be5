// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each further rank costs: runs of 64, 512 and 2,048 ranks of 5,000 slices, loaded, analysed and shown. Per rank
// they should cost at most 1.5 times what a rank of the smallest does, in time and memory.
//     bench_ranks              64 and 512 ranks
//     bench_ranks --full       also 2,048 ranks, and 1,024 ranks of 50,000 slices, whose analysis and first frame
//     should
//                              take at most 1.5 times their ingest: half an hour, 10 GB of memory, 1 GB of disk
//     bench_ranks --one-rank-a-host ...   each rank with a clock of its own
//     bench_ranks RANKS SLICES            one run, against 64 ranks of as many slices
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/ingest/load.h"
#include "tests/bench/first_frame.h"
#include "tests/bench/in_child.h"
#include "tests/bench/many_ranks.h"
#include "tests/bench/memory_use.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kLimitSeconds = 1'500;

/// Of one rank, but for the wall clock.
struct Costs {
    double load_s = 0;
    double analysis_s = 0;
    double frame_s = 0;  ///< less than nothing: not measured
    double resident_bytes = 0;
    double peak_bytes = 0;
    double slices = 0;
    double wall_s = 0;  ///< of it all
};

Figures measureFiles(const fs::path& folder, double ranks) {
    resetPeak();
    const std::uint64_t before = residentBytes();
    const auto began = std::chrono::steady_clock::now();
    const Discovery found = discoverRuns({folder.string()});
    LoadObserver observer;
    const double start = processorSeconds();
    Result<Run> run = loadRun(found.runs.at(0), {}, observer, {});
    const double loaded = processorSeconds();
    Result<AnalysedRun> analysed = analyseRun(std::make_shared<const Run>(std::move(run).value()), {}, {}, {});
    const double done = processorSeconds();
    const auto peak = static_cast<double>(peakBytes() - before);
    const auto shared = std::make_shared<const AnalysedRun>(std::move(analysed).value());
    double slices = 0;
    for (const auto& rank : shared->run->ranks) {
        for (const Track& track : rank->tracks) {
            slices += static_cast<double>(track.slices.size());
        }
    }
    resetPeak();
    const auto resident = static_cast<double>(residentBytes() - before);
    const double frame = firstFrameSeconds(shared);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
    return {(loaded - start) / ranks,
            (done - loaded) / ranks,
            frame / ranks,
            resident / ranks,
            peak / ranks,
            slices / ranks,
            wall.count()};
}

std::optional<Costs> costsOf(const ManyRanks& job) {
    const fs::path folder = fs::temp_directory_path() / ("rankscope-bench-ranks-" + std::to_string(::getpid()));
    // Written by a process of its own as well: what it took is not there any more when it is measured.
    const auto written =
        inChild(kLimitSeconds, [&] { return Figures{static_cast<double>(writeManyRanks(job, folder))}; });
    const auto figures = written ? inChild(kLimitSeconds, [&] { return measureFiles(folder, job.ranks); }) : written;
    fs::remove_all(folder);
    if (!figures) {
        return std::nullopt;
    }
    const Figures& f = *figures;
    return Costs{f[0], f[1], f[2], f[3], f[4], f[5], f[6]};
}

std::string nameOf(const ManyRanks& job) {
    return std::to_string(job.ranks) + " ranks of " + std::to_string(job.slices_each) +
           (job.ranks_a_host == 1 ? " on as many hosts" : "");
}

std::optional<Costs> measure(const ManyRanks& job) {
    const std::optional<Costs> costs = costsOf(job);
    if (costs) {
        std::printf(
            "%-40s load %7.2f ms, analysis %7.2f ms, first frame %7.3f ms, resident %6.2f MB, peak %6.2f MB "
            "a rank of %.0f slices; %.1f s in all\n",
            nameOf(job).c_str(), 1e3 * costs->load_s, 1e3 * costs->analysis_s, 1e3 * costs->frame_s,
            costs->resident_bytes / 1e6, costs->peak_bytes / 1e6, costs->slices, costs->wall_s);
    } else {
        std::printf("%-40s not within %u s, or crashed\n", nameOf(job).c_str(), kLimitSeconds);
    }
    std::fflush(stdout);
    return costs;
}

/// The lines that floors.json names. What could not be measured has the ratio 999.
void printRatio(const std::string& what, double over, double under) {
    std::printf("%-72s %.2f\n", what.c_str(), under > 0 && over >= 0 ? over / under : 999.0);
}

void printRatios(const ManyRanks& job, const std::optional<Costs>& costs, const std::optional<Costs>& small) {
    const Costs failed{-1, -1, -1, -1, -1, 0, 0};
    const Costs many = costs.value_or(failed);
    const Costs few = small.value_or(failed);
    const std::string name = nameOf(job);
    printRatio(name + ": load of a rank over that of 64", many.load_s, few.load_s);
    printRatio(name + ": analysis of a rank over that of 64", many.analysis_s, few.analysis_s);
    if (few.frame_s >= 0) {
        printRatio(name + ": first frame of a rank over that of 64", many.frame_s, few.frame_s);
    }
    printRatio(name + ": memory of a rank over that of 64", many.resident_bytes, few.resident_bytes);
    printRatio(name + ": peak of a rank over that of 64", many.peak_bytes, few.peak_bytes);
    printRatio(name + ": all over ingest", many.load_s + many.analysis_s + std::max(0.0, many.frame_s), many.load_s);
}

int run(int argc, char** argv) {
    std::vector<int> numbers;
    bool full = false;
    int ranks_a_host = 8;
    for (const std::string& argument : std::vector<std::string>(argv + 1, argv + argc)) {
        full = full || argument == "--full";
        ranks_a_host = argument == "--one-rank-a-host" ? 1 : ranks_a_host;
        if (argument.front() != '-') {
            numbers.push_back(std::atoi(argument.c_str()));
        }
    }
    constexpr int kSlices = 5'000;
    std::vector<ManyRanks> jobs;
    if (numbers.size() == 2) {
        jobs = {{numbers[0], numbers[1], ranks_a_host}};
    } else {
        jobs = {{512, kSlices, ranks_a_host}};
        if (full) {
            jobs.push_back({2'048, kSlices, ranks_a_host});
            jobs.push_back({1'024, 10 * kSlices, ranks_a_host});
        }
    }
    std::optional<Costs> small;
    int small_slices = 0;
    for (const ManyRanks& job : jobs) {
        if (small_slices != job.slices_each) {
            small_slices = job.slices_each;
            small = measure({64, small_slices, ranks_a_host});
        }
        printRatios(job, measure(job), small);
    }
    return 0;
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    return rankscope::bench::run(argc, argv);
}
