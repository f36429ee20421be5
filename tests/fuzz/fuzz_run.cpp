// SPDX-License-Identifier: GPL-3.0-or-later
// A whole run of several ranks that is damaged as real ones are, through all that the command line does with it.
// With RANKSCOPE_FUZZ_KEEP=FOLDER the run's files are written there, and what was changed is printed.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/compare/compare_runs.h"
#include "core/ingest/load.h"
#include "core/report/reports.h"
#include "tests/fuzz/changed_run.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"

namespace rankscope::fuzz {
namespace {

void keep(const ChangedRun& run, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < run.files.size(); ++i) {
        std::ofstream(folder / ("rank" + std::to_string(i) + ".json")) << run.files[i];
    }
    for (const std::string& change : run.changes) {
        std::fprintf(stderr, "%s\n", change.c_str());
    }
}

RunSource writeFiles(const ChangedRun& run, const std::string& name) {
    RunSource source;
    source.name = "fuzzed";
    for (std::size_t i = 0; i < run.files.size(); ++i) {
        source.files.push_back(
            {writeWorkFile(name + std::to_string(i) + ".json", run.files[i]), "", run.files[i].size()});
    }
    return source;
}

std::unique_ptr<AnalysedRun> loadAndAnalyse(const RunSource& source, AnalysisOptions options, unsigned threads) {
    LoadOptions load;
    load.threads = threads;
    LoadObserver observer;
    Result<Run> run = loadRun(source, load, observer, {});
    if (!run.ok()) {
        return nullptr;
    }
    options.threads = threads;
    return analysed(std::make_shared<const Run>(std::move(run).value()), options);
}

/// The base run as it was, to compare with. Analysed once.
const AnalysedRun& unchanged() {
    static const std::unique_ptr<AnalysedRun> run = [] {
        const ChangedRun files{baseRun(1), {}};
        return loadAndAnalyse(writeFiles(files, "base_rank"), {}, 1);
    }();
    demand(run != nullptr, "a run that nobody changed can be analysed");
    return *run;
}

std::string compared(const AnalysedRun& a, const AnalysedRun& b) {
    const RunComparison comparison = compareRuns(a, b, readEventText);
    ReportInput input;
    input.runs = {&a, &b};
    input.comparisons = {{0, 1, &comparison}};
    (void)textComparison(a, b, comparison);
    (void)markdownReport(input);
    return jsonReport(input);
}

void writeAllReports(const AnalysedRun& run) {
    ReportInput input;
    input.runs = {&run};
    (void)textReport(run);
    (void)textInfo(run);
    (void)jsonInfo(input);
    (void)markdownReport(input);
    (void)htmlReport(input);
    (void)csvReport(input);
}

AnalysisOptions chooseOptions(Choices& choices, std::size_t ranks) {
    AnalysisOptions options;
    const std::uint8_t clocks = choices.byte();
    options.clock.file_times = clocks % 8 == 1;
    if (clocks % 8 == 2) {
        options.clock.typed_offset_ns.resize(ranks);
        options.clock.typed_offset_ns[choices.below(ranks)] = choices.number();
    }
    return options;
}

}  // namespace

void fuzzRun(Input input) {
    const AnalysedRun& base = unchanged();
    Choices choices(input);
    // The first bytes choose how it is analysed, so that changes are added at the end of an input.
    const AnalysisOptions options = chooseOptions(choices, 2);
    const ChangedRun changed = changeRun(choices);
    if (const char* const folder = std::getenv("RANKSCOPE_FUZZ_KEEP")) {
        keep(changed, folder);
    }
    const RunSource source = writeFiles(changed, "rank");
    const auto once = loadAndAnalyse(source, options, 1);
    const auto again = loadAndAnalyse(source, options, 2);
    demand((once == nullptr) == (again == nullptr), "a run that is read once is read again");
    if (once == nullptr) {
        return;
    }
    demand(checkedReport(*once) == checkedReport(*again), "a run has one report");
    writeAllReports(*once);
    demand(compared(base, *once) == compared(base, *again), "a comparison has one report");
    (void)compared(*once, base);
}

}  // namespace rankscope::fuzz
