// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a rank costs that is read from a merged digest, in time, memory and bytes: a job of data x 4 x 4 ranks, and how
// that grows from an eighth of the ranks; and whether it keeps to the memory that it may take. Ranks are rounded down
// to a multiple of 256.
//     bench_digests                   512 and 1,280 ranks of 20 steps
//     bench_digests RANKS STEPS       one job
//     bench_digests --write RANKS STEPS FILE    writes that job's merged digest, and measures nothing
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/replay/run_replay.h"
#include "core/analysis/run_facts.h"
#include "core/analysis/stages.h"
#include "core/base/parallel.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/digest/choose_steps.h"
#include "core/digest/step_table.h"
#include "core/ingest/load.h"
#include "tests/bench/in_child.h"
#include "tests/bench/many_digests.h"
#include "tests/bench/memory_use.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kLimitSeconds = 1'800;

/// Of one run.
struct Costs {
    double read_s = 0;      ///< of the processor, as all that follow
    double facts_s = 0;     ///< of each rank alone
    double clocks_s = 0;    ///< collectives matched, clocks aligned, waits explained, owners of all time told
    double replay_s = 0;    ///< the model of the coupled replay
    double analysis_s = 0;  ///< all of the analysis, those included
    double wall_s = 0;      ///< from the file to the findings, on the clock at the wall
    double peak_bytes = 0;
    double resident_bytes = 0;
    double findings = 0;
    double slices = 0;
    double file_bytes = 0;
};

std::shared_ptr<const Run> readRun(const fs::path& file) {
    LoadObserver nobody;
    LoadOptions options;
    options.memory_bytes = std::numeric_limits<std::uint64_t>::max();  // all of it
    return std::make_shared<const Run>(loadRun(discoverRuns({file.string()}).runs.at(0), options, nobody, {}).value());
}

double slicesOf(const Run& run) {
    double slices = 0;
    for (const auto& rank : run.ranks) {
        slices += static_cast<double>(rank->health.slices);
    }
    return slices;
}

Figures measureAll(const fs::path& file) {
    resetPeak();
    const auto before = static_cast<double>(residentBytes());
    const auto began = std::chrono::steady_clock::now();
    const double start = processorSeconds();
    const std::shared_ptr<const Run> run = readRun(file);
    const double read = processorSeconds();
    const AnalysedRun analysed = analyseRun(run, {}, {}, {}).value();
    const double done = processorSeconds();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
    const double peak = static_cast<double>(peakBytes()) - before;
    resetPeak();
    return {read - start,
            done - read,
            wall.count(),
            peak,
            static_cast<double>(residentBytes()) - before,
            static_cast<double>(analysed.diagnosis.findings.size()),
            slicesOf(*run)};
}

/// The stages of the facts one after the other, as analyseFacts() goes through them.
Figures measureStages(const fs::path& file) {
    const std::shared_ptr<const Run> run = readRun(file);
    const FactsOptions options;
    const std::size_t cores = threadCount(0);
    const double start = processorSeconds();
    MeasuredRun measured = measureRun(*run, options.rules, cores, {}, {});
    const double facts = processorSeconds();
    const AlignedRun aligned = alignRun(*run, measured, matchRun(*run, measured, cores), options.clock);
    const ExplainedRun explained = explainRun(measured.work, std::move(measured.ranks), aligned, cores);
    const RunLedger ledger = makeRunLedger(measured.work, explained, aligned, cores);
    const double clocks = processorSeconds();
    const RunReplayModel model = makeRunReplayModel(measured.work, aligned.collectives, aligned.clock, cores);
    return {facts - start, clocks - facts, processorSeconds() - clocks};
}

/// The same run in three quarters of the memory that it would take: how much of these it takes at most, how many steps
/// are read in full, and the seconds at the wall.
Figures measureWithin(const fs::path& file) {
    const std::size_t cores = threadCount(0);
    const std::vector<DigestedRank> ranks = readDigestedRanks({file.string()}).value();
    LoadOptions options;
    options.memory_bytes = bytesToRead(ranks, cores) / 4 * 3;
    resetPeak();
    const auto before = static_cast<double>(residentBytes());
    const auto began = std::chrono::steady_clock::now();
    LoadObserver nobody;
    const auto run =
        std::make_shared<const Run>(loadRun(discoverRuns({file.string()}).runs.at(0), options, nobody, {}).value());
    const AnalysedRun analysed = analyseRun(run, {}, {}, {}).value();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
    const double peak = static_cast<double>(peakBytes()) - before;
    const auto steps = static_cast<double>(run->chosen_steps ? analysed.facts.steps.size() : 0);
    return {peak / static_cast<double>(*options.memory_bytes), steps, wall.count()};
}

void print(const ManyDigests& job, const Costs& costs) {
    const double ranks = job.ranks();
    constexpr double kMs = 1e3;
    constexpr double kMb = 1e6;
    std::printf(
        "%d ranks x %d steps, %.0f slices a rank, file %.1f MB: %.1f s at the wall, peak %.2f GB, %.0f findings\n",
        job.ranks(), job.steps, costs.slices / ranks, costs.file_bytes / kMb, costs.wall_s,
        costs.peak_bytes / kMb / kMs, costs.findings);
    std::printf(
        "    a rank: read %.2f ms, analysis %.2f ms (facts %.2f, clocks and waits %.2f, replay model %.2f, the rest "
        "%.2f), peak %.2f MB, resident %.2f MB, file %.1f kB\n",
        kMs * costs.read_s / ranks, kMs * costs.analysis_s / ranks, kMs * costs.facts_s / ranks,
        kMs * costs.clocks_s / ranks, kMs * costs.replay_s / ranks,
        kMs * (costs.analysis_s - costs.facts_s - costs.clocks_s - costs.replay_s) / ranks,
        costs.peak_bytes / ranks / kMb, costs.resident_bytes / ranks / kMb, costs.file_bytes / ranks / kMs);
    std::fflush(stdout);
}

/// Files of this program, which go away with it.
class Folder {
  public:
    Folder() : path_(fs::temp_directory_path() / ("rankscope-bench-digests-" + std::to_string(::getpid()))) {
        fs::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    [[nodiscard]] fs::path file(const std::string& name) const { return path_ / name; }

  private:
    fs::path path_;
};

/// The digests that jobs of so many steps repeat.
fs::path simulated(const Folder& folder, int steps) {
    fs::path file = folder.file("simulated-" + std::to_string(steps) + ".digest");
    if (!fs::exists(file)) {
        (void)inChild(kLimitSeconds, [&] {
            writeSimulatedDigests(steps, file);
            return Figures{};
        });
    }
    return file;
}

std::optional<Costs> measure(const Folder& folder, const ManyDigests& job) {
    const fs::path from = simulated(folder, job.steps);
    const fs::path file = folder.file("job.digest");
    fs::remove(file);
    const auto written =
        inChild(kLimitSeconds, [&] { return Figures{static_cast<double>(writeManyDigests(job, from, file))}; });
    const auto stages = written ? inChild(kLimitSeconds, [&] { return measureStages(file); }) : written;
    const auto all = stages ? inChild(kLimitSeconds, [&] { return measureAll(file); }) : stages;
    if (!all) {
        std::printf("%d ranks x %d steps: not within %u s, or crashed\n", job.ranks(), job.steps, kLimitSeconds);
        return std::nullopt;
    }
    Costs costs;
    costs.facts_s = (*stages)[0];
    costs.clocks_s = (*stages)[1];
    costs.replay_s = (*stages)[2];
    costs.read_s = (*all)[0];
    costs.analysis_s = (*all)[1];
    costs.wall_s = (*all)[2];
    costs.peak_bytes = (*all)[3];
    costs.resident_bytes = (*all)[4];
    costs.findings = (*all)[5];
    costs.slices = (*all)[6];
    costs.file_bytes = (*written)[0];
    print(job, costs);
    return costs;
}

/// The lines that floors.json names. What could not be measured has the ratio 999.
void printRatio(const ManyDigests& job, const std::string& what, double over, double under) {
    const std::string line = std::to_string(job.ranks()) + " digests: " + what;
    std::printf("%-72s %.2f\n", line.c_str(), under > 0 && over >= 0 ? over / under : 999.0);
}

/// What reading takes of the memory that it may, where not all fits.
void measureBudget(const Folder& folder, const ManyDigests& job) {
    const auto within = inChild(kLimitSeconds, [&] { return measureWithin(folder.file("job.digest")); });
    const double steps = within ? (*within)[1] : 0;
    if (within) {
        std::printf(
            "%d ranks x %d steps in three quarters of the memory: %.0f steps are read in full, %.1f s at the wall\n",
            job.ranks(), job.steps, steps, (*within)[2]);
    }
    printRatio(job, "peak over the memory that it may take", steps > 0 ? (*within)[0] : -1, 1);
}

void measureGrowth(const Folder& folder, const ManyDigests& job) {
    ManyDigests eighth = job;
    eighth.data = job.data / 8;
    const Costs failed{-1, 0, 0, 0, -1, 0, -1, -1, 0, 0, -1};
    const Costs few = measure(folder, eighth).value_or(failed);
    const Costs many = measure(folder, job).value_or(failed);
    constexpr double kTimes = 8;
    printRatio(job, "read of a rank over that in an eighth", many.read_s, kTimes * few.read_s);
    printRatio(job, "analysis of a rank over that in an eighth", many.analysis_s, kTimes * few.analysis_s);
    printRatio(job, "peak of a rank over that in an eighth", many.peak_bytes, kTimes * few.peak_bytes);
    printRatio(job, "bytes of a rank over that in an eighth", many.file_bytes, kTimes * few.file_bytes);
    measureBudget(folder, job);
}

ManyDigests jobOf(int ranks, int steps) {
    constexpr int kRanksOfEighths = 8 * ManyDigests::kPipeline * ManyDigests::kTensor * ManyDigests::kSimulated;
    const int least = std::max(1, ranks / kRanksOfEighths);
    return {.data = least * 8 * ManyDigests::kSimulated, .steps = steps};
}

int run(const std::vector<std::string>& arguments) {
    const Folder folder;
    constexpr int kSteps = 20;
    const auto number = [&](std::size_t at) { return std::atoi(arguments[at].c_str()); };
    if (arguments.size() == 4 && arguments[0] == "--write") {
        const ManyDigests job = jobOf(number(1), number(2));
        writeManyDigests(job, simulated(folder, job.steps), arguments[3]);
    } else if (arguments.size() == 2) {
        measureGrowth(folder, jobOf(number(0), number(1)));
    } else {
        measureGrowth(folder, jobOf(512, kSteps));
        measureGrowth(folder, jobOf(1'280, kSteps));
    }
    return 0;
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    return rankscope::bench::run({argv + 1, argv + argc});
}
