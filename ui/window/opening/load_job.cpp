// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/load_job.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <optional>

#include "core/base/utf8.h"
#include "core/digest/digest_file.h"
#include "core/ingest/files/run_names.h"
#include "core/remote/fetch_digests.h"
#include "ui/panels/shared/translated_wording.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

using JobClock = std::chrono::steady_clock;
constexpr auto kProgressEvery = std::chrono::milliseconds(40);
constexpr std::size_t kMostFilesOfAMap = 64;

/// Why a run could not be opened because a resource ran out, for people.
std::string reasonOf(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
        return "there is not enough memory to open this";
    }
    return std::string("cannot be opened: ") + error.what();
}

void nameApart(std::vector<RunSource>& runs, const std::vector<RunSource>& open) {
    std::vector<RunSource*> all;
    std::ranges::transform(runs, std::back_inserter(all), [](RunSource& run) { return &run; });
    tellNamesApart(all, open);
}

}  // namespace

/// Forwards the reports of a load, the progress of a file at most 25 times a second.
class RunLoader::Job::Observer : public LoadObserver {
  public:
    Observer(const Job& job, std::size_t run, const RunSource& source)
        : job_(job), run_(run), name_(source.name), last_(source.files.size()), failed_(source.files.size(), false) {}

    void fileProgress(std::size_t file, std::uint64_t done, std::uint64_t total, std::uint64_t json_bytes) override {
        const auto now = JobClock::now();
        if (done < total && now - last_[file] < kProgressEvery) {
            return;
        }
        last_[file] = now;
        job_.post([at = LoadingFile{run_, file}, progress = FileProgress{done, total, json_bytes}](RunLoader& to) {
            Q_EMIT to.fileProgressed(at, progress);
        });
    }

    void fileLoaded(std::size_t file, const std::shared_ptr<const RankTrace>& rank) override {
        job_.post([at = LoadingFile{run_, file}, name = name_, rank, zero = choiceFor(name_, job_.choices_).base_ns](
                      RunLoader& to) { to.addRank(at, name, rank, zero); });
    }

    void fileFailed(std::size_t file, const Error& error) override {
        failed_[file] = true;
        job_.post([at = LoadingFile{run_, file}, error](RunLoader& to) { Q_EMIT to.fileFailed(at, error); });
    }

    void fileIsNoTrace(std::size_t file) override {
        job_.post([at = LoadingFile{run_, file}](RunLoader& to) { Q_EMIT to.fileLoaded(at); });
    }

    void rankFailed(std::size_t file, const Error& error) override {
        ranks_.push_back(error.text());
        job_.post([at = LoadingFile{run_, file}, error](RunLoader& to) { Q_EMIT to.rankFailed(at, error); });
    }

    /// Whether a failure of the file, or of this rank in it, was already reported.
    [[nodiscard]] bool told(std::size_t file, const Error& error) const {
        return failed_[file] || std::ranges::find(ranks_, error.text()) != ranks_.end();
    }

  private:
    const Job& job_;
    std::size_t run_;
    std::string name_;
    std::vector<JobClock::time_point> last_;
    std::vector<bool> failed_;
    std::vector<std::string> ranks_;  // errors of ranks
};

void RunLoader::Job::work(std::vector<std::string> paths, const std::vector<RunSource>& open) {
    try {
        std::vector<Error> unfetched = fetch(paths);
        auto [found, given] = findToOpen(std::move(paths), part_.one_run);
        nameApart(found.runs, open);
        const std::size_t runs = found.runs.size();
        for (const auto* files : {&given.snapshots, &given.logs, &given.dumps}) {
            if (!files->empty()) {
                found.runs.push_back(sourceOf(*files));
            }
        }
        std::ranges::move(unfetched, std::back_inserter(found.refused));
        post([found](RunLoader& to) { Q_EMIT to.discovered(found); });
        tellSteps(found);
        next_ = found.runs.size();
        for (std::size_t run = 0; run < runs && !stop_reading_.stop_requested(); ++run) {
            loadOrTell(run, found.runs[run]);
        }
        readCompanions(given, runs);
    } catch (const std::exception& error) {
        tellFault(0, {}, error);
    }
    post([cancelled = stop_reading_.stop_requested()](RunLoader& to) { to.end(cancelled); });
}

void RunLoader::Job::loadOrTell(std::size_t index, const RunSource& source) {
    try {
        loadOne(index, source);
    } catch (const std::exception& error) {
        tellFault(index, source.name, error);
    }
}

void RunLoader::Job::tellFault(std::size_t run, const std::string& name, const std::exception& error) const {
    post([run, told = Error{name, {}, reasonOf(error)}](RunLoader& to) { Q_EMIT to.runFailed(run, told); });
}

std::vector<Error> RunLoader::Job::fetch(std::vector<std::string>& paths) const {
    RemoteOptions options = remoteOptionsForUser();
    options.stop = stop_reading_;
    options.on_progress = [this](std::string_view words) {
        post([said = text(printable(words))](RunLoader& to) { Q_EMIT to.fetching(said); });
    };
    FetchedPaths fetched = fetchPaths(paths, options);
    if (stop_reading_.stop_requested()) {
        fetched.failed.clear();  // the user knows
    }
    paths = std::move(fetched.paths);
    std::ranges::move(fetched.remarks, std::back_inserter(fetched.failed));
    return std::move(fetched.failed);
}

void RunLoader::Job::tellSteps(const Discovery& found) const {
    if (found.runs.empty() || part_.isPart()) {
        return;
    }
    const RunSource& run = found.runs.front();
    const bool digests = std::ranges::all_of(
        run.files, [](const FileSource& file) { return file.path.ends_with(kDigestEnding) && file.member.empty(); });
    if (!digests || run.files.size() > kMostFilesOfAMap) {
        return;  // ranks of many files arrive one by one, and are shown so
    }
    std::vector<std::string> paths;
    std::ranges::transform(run.files, std::back_inserter(paths), &FileSource::path);
    Result<StepTable> steps = readStepTable(paths);
    if (steps.ok() && steps.value().ranks.size() >= kManyRanks) {
        post([name = text(run.name), made = std::make_shared<const StepTable>(std::move(steps).value())](
                 RunLoader& to) { Q_EMIT to.stepsKnown(name, made); });
    }
}

void RunLoader::Job::loadOne(std::size_t index, const RunSource& source) {
    Observer observer(*this, index, source);
    LoadOptions options;
    options.path_map = pathMapForUser();
    std::ranges::copy(part_.map, std::back_inserter(options.path_map));
    options.keep_when_stopped = true;
    if (part_.rank) {
        options.ranks = {*part_.rank};
    }
    options.first_step = part_.step;
    options.last_step = part_.step;
    Result<std::vector<Run>> loaded = loadRuns(source, options, observer, stop_reading_);
    if (loaded.cancelled() || stop_.stop_requested()) {
        return;
    }
    if (loaded.failed()) {
        post([index, error = loaded.error()](RunLoader& to) { Q_EMIT to.runFailed(index, error); });
        return;
    }
    std::vector<Run>& runs = loaded.value();
    for (Run& run : runs) {
        if (part_.step) {
            run.name += ", step " + std::to_string(*part_.step);
        }
    }
    // Files can be refused after they were read: a rank cannot have two windows that overlap.
    std::vector<Error> refused;
    for (const Run& run : runs) {
        refused.insert(refused.end(), run.unreadable.begin(), run.unreadable.end());
    }
    for (const Error& error : refused) {
        const auto at = std::ranges::find_if(source.files, [&](const FileSource& file) {
            return file.path == error.path || file.label() == error.path;
        });
        const auto file = static_cast<std::size_t>(at - source.files.begin());
        if (at != source.files.end() && !observer.told(file, error)) {
            observer.fileFailed(file, error);
        }
    }
    // All ranks were reported as belonging to a single run, which is now the first one.
    for (std::size_t i = 0; i < runs.size() && !stop_.stop_requested(); ++i) {
        open(i == 0 ? index : next_++, std::make_shared<const Run>(std::move(runs[i])));
    }
}

void RunLoader::Job::readCompanions(const CompanionFiles& given, std::size_t run) const {
    // Files [first, last) fail together.
    const auto read_or_tell = [this](const std::vector<std::string>& files, std::size_t first, std::size_t last,
                                     const CompanionReports& reports, const auto& read) {
        try {
            if (!stop_reading_.stop_requested()) {
                read();
            }
        } catch (const std::exception& error) {
            for (std::size_t file = first; file < last; ++file) {
                reports.failed(file, {files[file], {}, reasonOf(error)});
            }
        }
    };
    if (!given.snapshots.empty()) {
        const CompanionReports reports = reportsOf(run++, given.snapshots);
        for (std::size_t file = 0; file < given.snapshots.size(); ++file) {
            read_or_tell(given.snapshots, file, file + 1, reports, [&] {
                if (const auto snapshot = readSnapshotFile(given.snapshots[file], file, reports)) {
                    post([snapshot](RunLoader& to) { Q_EMIT to.snapshotRead(snapshot); });
                }
            });
        }
    }
    if (!given.logs.empty()) {
        const CompanionReports reports = reportsOf(run++, given.logs);
        read_or_tell(given.logs, 0, given.logs.size(), reports, [&] {
            if (const auto logs = readLogFiles(given.logs, reports, stop_reading_)) {
                post([logs](RunLoader& to) { Q_EMIT to.logsRead(logs); });
            }
        });
    }
    if (!given.dumps.empty()) {
        const CompanionReports reports = reportsOf(run, given.dumps);
        read_or_tell(given.dumps, 0, given.dumps.size(), reports, [&] {
            if (const auto dumps = readDumpFiles(given.dumps, reports, stop_reading_)) {
                post([dumps](RunLoader& to) { Q_EMIT to.dumpsRead(dumps); });
            }
        });
    }
}

CompanionReports RunLoader::Job::reportsOf(std::size_t run, const std::vector<std::string>& files) const {
    std::vector<std::uint64_t> bytes;
    std::ranges::transform(sourceOf(files).files, std::back_inserter(bytes), &FileSource::bytes);
    CompanionReports reports;
    reports.progressed = [this, run, bytes](std::size_t file, std::uint64_t done) {
        post([at = LoadingFile{run, file}, progress = FileProgress{done, bytes[file], 0}](RunLoader& to) {
            Q_EMIT to.fileProgressed(at, progress);
        });
    };
    reports.loaded = [this, run](std::size_t file) {
        post([at = LoadingFile{run, file}](RunLoader& to) { Q_EMIT to.fileLoaded(at); });
    };
    reports.failed = [this, run](std::size_t file, const Error& error) {
        post([at = LoadingFile{run, file}, error](RunLoader& to) { Q_EMIT to.fileFailed(at, error); });
    };
    return reports;
}

void RunLoader::Job::open(std::size_t index, const std::shared_ptr<const Run>& run) const {
    try {
        post([index, known = withoutFacts(run, choiceFor(run->name, choices_).base_ns)](RunLoader& to) {
            to.tellKnown(index, known);
        });
        analyse(index, run);
    } catch (const std::exception& error) {
        tellFault(index, run->name, error);  // the other runs are not affected
    }
}

void RunLoader::Job::analyse(std::size_t index, std::shared_ptr<const Run> run) const {
    post([](RunLoader& to) { to.analysing_ = true; });
    const auto progress = [this, index](const Progress& now) {
        post([index, now](RunLoader& to) { Q_EMIT to.analysisProgressed(index, now); });
    };
    AnalysisOptions options;
    options.wording = translatedWording();
    Result<NameRules> rules = NameRules::forUser();
    if (rules.ok()) {
        options.rules = std::move(rules).value();
    } else {
        post([index, error = rules.error()](RunLoader& to) { Q_EMIT to.runFailed(index, error); });
    }
    heed(choiceFor(run->name, choices_), *run, options);
    Result<AnalysedRun> analysed = analyseRun(std::move(run), options, progress, stop_);
    if (analysed.failed()) {
        post([index, error = analysed.error()](RunLoader& to) { Q_EMIT to.runFailed(index, error); });
    } else if (analysed.ok()) {
        auto known = std::make_shared<const AnalysedRun>(std::move(analysed).value());
        post([index, known = std::move(known)](RunLoader& to) { to.tellKnown(index, known); });
    }
    post([](RunLoader& to) { to.analysing_ = false; });
}

}  // namespace rankscope::ui
