// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/simulated_run.h"

#include <cstdlib>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "core/ingest/load.h"
#include "tests/support/memory_stream.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::accuracy {
namespace {

std::shared_ptr<const RankTrace> loadText(const std::string& name, std::string_view text) {
    test::MemoryStream stream(text);
    LoadObserver observer;
    LoadOptions options;
    options.threads = 1;  // runs are shared among the cores, not files
    FileSource file;
    file.path = name;
    file.bytes = text.size();
    Result<RankTrace> trace = loadStream(stream, file, options, observer, {});
    if (!trace.ok()) {
        throw std::runtime_error(trace.error().text());
    }
    return std::make_shared<const RankTrace>(std::move(trace).value());
}

/// A folder that is gone at the end of its life.
class PassingFolder {
  public:
    PassingFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "rankscope-accuracy-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("cannot make a folder for files");
        }
        path_ = name;
    }
    PassingFolder(const PassingFolder&) = delete;
    PassingFolder& operator=(const PassingFolder&) = delete;
    ~PassingFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

std::shared_ptr<const Run> loadFromDisk(const tracegen::machine::TraceFile& file) {
    const PassingFolder folder;
    std::ofstream(folder.path() / file.name) << file.text;
    const Discovery found = discoverRun("simulated", {folder.path().string()});
    if (found.runs.empty()) {
        throw std::runtime_error("the file is not taken for a trace");
    }
    LoadOptions options;
    options.threads = 1;
    LoadObserver observer;
    Result<Run> run = loadRun(found.runs.front(), options, observer, {});
    if (!run.ok()) {
        throw std::runtime_error(run.error().text());
    }
    return std::make_shared<const Run>(std::move(run).value());
}

}  // namespace

std::shared_ptr<const Run> loadSimulated(const tracegen::RunResult& simulated) {
    auto run = std::make_shared<Run>();
    run->name = "simulated";
    for (int rank = 0; rank < simulated.config.ranks; ++rank) {
        run->ranks.push_back(loadText(tracegen::fileName(rank, false), tracegen::kinetoText(simulated, rank)));
    }
    return run;
}

std::shared_ptr<const Run> loadFiles(const std::vector<tracegen::machine::TraceFile>& files) {
    if (files.size() == 1) {
        return loadFromDisk(files.front());
    }
    auto run = std::make_shared<Run>();
    run->name = "simulated";
    for (const tracegen::machine::TraceFile& file : files) {
        run->ranks.push_back(loadText(file.name, file.text));
    }
    return run;
}

AnalysedRun analyseAlone(std::shared_ptr<const Run> run, AnalysisOptions options) {
    options.threads = 1;
    Result<AnalysedRun> analysed = analyseRun(std::move(run), options, {}, {});
    if (!analysed.ok()) {
        throw std::runtime_error("the run cannot be analysed");
    }
    return std::move(analysed).value();
}

AnalysedRun analyseSimulated(const tracegen::machine::TrueRun& run, AnalysisOptions options) {
    return analyseAlone(loadFiles(tracegen::machine::writeFiles(run, {})), std::move(options));
}

}  // namespace rankscope::accuracy
