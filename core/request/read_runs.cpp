// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/read_runs.h"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "core/base/format.h"
#include "core/base/suggestion.h"
#include "core/ingest/files/run_names.h"
#include "core/ingest/load.h"
#include "core/ingest/snapshot/load_snapshot.h"

namespace rankscope {
namespace {

/// Reports the progress of a load, and keeps why files failed.
class LoadProgress : public LoadObserver {
  public:
    LoadProgress(const RunSource& source, RequestObserver& observer)
        : name_(source.name), observer_(observer), done_(source.files.size()) {
        for (const FileSource& file : source.files) {
            total_ += file.bytes;
        }
    }

    void fileProgress(std::size_t file, std::uint64_t done, std::uint64_t /*total*/,
                      std::uint64_t /*json_bytes*/) override {
        done_[file] = done;
        observer_.progress({"reading " + name_, std::accumulate(done_.begin(), done_.end(), std::uint64_t{0}), total_});
    }
    void fileFailed(std::size_t /*file*/, const Error& error) override { failures_.push_back(error); }

    /// The files of the run that could not be read, in the order in which that came out.
    [[nodiscard]] const std::vector<Error>& failures() const { return failures_; }

  private:
    std::string name_;
    RequestObserver& observer_;
    std::vector<std::uint64_t> done_;
    std::uint64_t total_ = 0;
    std::vector<Error> failures_;
};

/// The typed offsets in the order of the run's ranks.
std::vector<std::optional<DurationNs>> typedOffsets(const Run& run, const RunRequest& request) {
    std::vector<std::optional<DurationNs>> offsets(run.ranks.size());
    for (RankPosition i{0}; i < run.ranks.size() && !request.clock_offsets.empty(); ++i) {
        const auto at = request.clock_offsets.find(run.ranks[i]->rank.value_or(RankNumber(-1)));
        if (at != request.clock_offsets.end()) {
            offsets[i] = at->second;
        }
    }
    return offsets;
}

/// Warns about ranks that the user named, to be read or shifted, but that do not exist.
void tellOfMissingRanks(const RunRequest& request, const std::vector<AnalysedRun>& runs, RequestObserver& observer) {
    std::set<RankNumber> there;
    for (const AnalysedRun& run : runs) {
        for (const std::string& note : run.run->notes) {
            if (note.starts_with(kRanksNotThere)) {
                observer.note(run.run->name + ": " + note);
            }
        }
        for (const auto& rank : run.run->ranks) {
            there.insert(rank->rank.value_or(RankNumber(-1)));
        }
    }
    there.erase(RankNumber(-1));
    std::vector<std::int64_t> numbers;
    std::ranges::transform(there, std::back_inserter(numbers), &RankNumber::value);
    const std::string ranks = numbers.empty() ? "none of the ranks read has a number"
                                              : "read " + std::string(numbers.size() == 1 ? "is " : "are ") +
                                                    formatNumbered("rank", numbers, ListStyle::Sentence);
    for (const auto& [rank, offset_ns] : request.clock_offsets) {
        if (!runs.empty() && !there.contains(rank)) {
            observer.note("--clock-offset: there is no rank " + std::to_string(rank.value) + "; " + ranks);
        }
    }
}

/// Warns, also in the run's notes, if the user named a kind of iterations that cannot be priced.
void noteIterations(const RunRequest& request, AnalysedRun& run, RequestObserver& observer) {
    const bool any = std::ranges::any_of(run.facts.steps, [&](const RunStep& step) {
        return step.kind == request.iterations && step.complete && step.duration_ns > 0;
    });
    if (!request.iterations || any) {
        return;
    }
    std::string note = "There are no complete iterations of the kind " +
                       std::string(iterationKindName(*request.iterations)) + ", so --iterations is ignored.";
    observer.note(run.run->name + ": " + note);
    Run noted = *run.run;
    noted.notes.push_back(std::move(note));
    run.run = std::make_shared<const Run>(std::move(noted));
}

/// Warns, also in the run's notes, about steps that the user named but that do not exist.
void noteSteps(const RunRequest& request, AnalysedRun& run, RequestObserver& observer) {
    std::set<std::int64_t> there;
    for (const RunStep& step : run.facts.steps) {
        there.insert(step.index);
    }
    std::vector<std::int64_t> missing;
    if (request.load.first_step && request.load.last_step && !there.empty()) {
        constexpr std::int64_t kMostTold = 10'000;  // whoever names more means all steps
        const std::int64_t first = *request.load.first_step;
        const std::int64_t last = *request.load.last_step;
        for (std::int64_t step = first; last - first < kMostTold && step <= last; ++step) {
            if (!there.contains(step)) {
                missing.push_back(step);
            }
        }
    }
    if (missing.empty()) {
        return;
    }
    std::string note =
        fmt::format("--steps: there {} no {}; read {} {}.", missing.size() == 1 ? "is" : "are",
                    formatNumbered("step", missing, ListStyle::Sentence), there.size() == 1 ? "is" : "are",
                    formatNumbered("step", {there.begin(), there.end()}, ListStyle::Sentence));
    observer.note(run.run->name + ": " + note);
    Run noted = *run.run;
    noted.notes.push_back(std::move(note));
    run.run = std::make_shared<const Run>(std::move(noted));
}

/// Who hears of the work, and who ends it.
struct Talk {
    RequestObserver& observer;
    const std::stop_token& stop;
};

/// Adds the analysed run to `out`, or the error.
void analyseInto(Run run, const RunRequest& request, AnalysisOptions options, const Talk& talk, ReadRuns& out) {
    options.clock.typed_offset_ns = typedOffsets(run, request);
    const std::string name = run.name;
    const auto shown = [&talk](const Progress& at) { talk.observer.progress(at); };
    Result<AnalysedRun> analysed = analyseRun(std::make_shared<const Run>(std::move(run)), options, shown, talk.stop);
    if (analysed.ok()) {
        noteIterations(request, analysed.value(), talk.observer);
        noteSteps(request, analysed.value(), talk.observer);
        out.runs.push_back(std::move(analysed).value());
    } else {
        out.unreadable.push_back(analysed.failed() ? analysed.error() : Error{name, {}, "the analysis was cancelled"});
    }
}

/// An error: a path to be compared contains several runs; lists them.
Error severalRuns(const RunSource& source, const std::vector<Run>& runs) {
    std::string names;
    for (const Run& run : runs) {
        names += (names.empty() ? "" : ", ") + run.name;
    }
    return {source.name, {}, "contains " + std::to_string(runs.size()) + " runs (" + names + "); name one of them"};
}

/// The steps of the first file of a source; empty where it cannot be read.
std::vector<std::int64_t> stepsOfFirstFile(const RunSource& source, const RunRequest& request,
                                           const std::stop_token& stop) {
    LoadOptions options = request.load;
    options.first_step.reset();
    options.last_step.reset();
    LoadObserver nobody;
    Result<Run> run = loadRun({source.name, {source.files.front()}, source.is_one_run}, options, nobody, stop);
    std::vector<std::int64_t> steps;
    if (run.ok() && run.value().chosen_steps) {
        std::ranges::transform(run.value().chosen_steps->steps, std::back_inserter(steps), &TabledStep::number);
    } else if (run.ok()) {
        const Result<AnalysedRun> analysed =
            analyseRun(std::make_shared<const Run>(std::move(run).value()), AnalysisOptions(), {}, stop);
        if (analysed.ok()) {
            std::ranges::transform(analysed.value().facts.steps, std::back_inserter(steps), &RunStep::index);
        }
    }
    return steps;
}

/// Replaces the errors of each file by one: no file has the named steps, and which steps exist. Other errors stay as
/// they are.
std::vector<Error> aboutSteps(std::vector<Error> failures, const RunSource& source, const RunRequest& request,
                              const std::stop_token& stop) {
    const auto is_of_steps = [](const Error& error) { return error.cause.find(kNoneOfTheSteps) != std::string::npos; };
    if (failures.empty() || !std::ranges::all_of(failures, is_of_steps)) {
        return failures;
    }
    const std::vector<std::int64_t> steps = stepsOfFirstFile(source, request, stop);
    if (steps.empty()) {
        return failures;
    }
    const std::string there = std::string(steps.size() == 1 ? "there is " : "there are ") +
                              formatNumbered("step", steps, ListStyle::Sentence);
    return {{failures.size() == 1 ? failures.front().path : source.name,
             {},
             std::string(kNoneOfTheSteps) + "; " + there +
                 (source.files.size() == 1 ? std::string() : " in " + source.files.front().label())}};
}

/// Adds the runs of `source` to `out`, or the errors. A source to be compared must contain one run; with --against,
/// each of several runs is a recording of its side.
void readRun(const RunSource& source, const RunRequest& request, const AnalysisOptions& options, const Talk& talk,
             ReadRuns& out) {
    LoadProgress progress(source, talk.observer);
    Result<std::vector<Run>> runs = loadRuns(source, request.load, progress, talk.stop);
    if (!runs.ok()) {
        if (progress.failures().empty()) {
            out.unreadable.push_back(runs.failed() ? runs.error() : Error{source.name, {}, "reading was cancelled"});
        }
        const std::vector<Error> failures = aboutSteps(progress.failures(), source, request, talk.stop);
        out.unreadable.insert(out.unreadable.end(), failures.begin(), failures.end());
        return;
    }
    if (request.paths_are == PathsAre::OneRunEach && runs.value().size() > 1) {
        out.unreadable.push_back(severalRuns(source, runs.value()));
        return;
    }
    if (runs.value().size() > 1) {
        std::ranges::for_each(runs.value(),
                              [&](const Run& run) { talk.observer.note(run.name + ": " + run.notes.front()); });
    }
    for (Run& run : runs.value()) {
        analyseInto(std::move(run), request, options, talk, out);
    }
}

void readSnapshots(const RunRequest& request, ReadRuns& out) {
    for (const std::string& path : request.snapshots) {
        Result<MemorySnapshot> snapshot = loadSnapshot(path);
        if (snapshot.ok()) {
            ReadSnapshot& read = out.snapshots.emplace_back();
            read.snapshot = std::move(snapshot).value();
            read.facts = snapshotFacts(read.snapshot);
        } else {
            out.unreadable.push_back(snapshot.failed() ? snapshot.error() : Error{path, {}, "reading was cancelled"});
        }
    }
}

/// The run at `path`.
Discovery discoverOne(const std::string& path) {
    Discovery found = discoverRuns({path});
    if (found.runs.size() > 1) {
        return {{}, {{path, {}, "contains " + std::to_string(found.runs.size()) + " runs; name one of them"}}};
    }
    return found;
}

}  // namespace

std::vector<Discovery> discover(const RunRequest& request) {
    std::vector<Discovery> asked;
    if (request.paths_are != PathsAre::Together) {
        const bool is_one = request.paths_are == PathsAre::OneRunEach;
        for (const std::string& path : request.paths) {
            asked.push_back(is_one ? discoverOne(path) : discoverRuns({path}));
        }
    } else if (!request.paths.empty()) {
        asked.push_back(discoverRuns(request.paths));
    }
    for (const NamedRun& named : request.named_runs) {
        asked.push_back(discoverRun(named.name, named.paths));
    }
    std::vector<RunSource*> all;
    for (Discovery& found : asked) {
        std::ranges::transform(found.runs, std::back_inserter(all), [](RunSource& run) { return &run; });
    }
    tellNamesApart(all);
    for (Discovery& found : asked) {
        for (Error& error : found.refused) {
            error.cause += suggestionForPath(error.path);
        }
    }
    return asked;
}

bool ReadRuns::complete() const {
    const bool has_all_logs = companions.logs == nullptr || companions.logs->unreadable.empty();
    const bool has_all_dumps = companions.dumps == nullptr || companions.dumps->unreadable.empty();
    return unreadable.empty() && has_all_logs && has_all_dumps && std::ranges::all_of(runs, [](const AnalysedRun& run) {
               return run.run->unreadable.empty() && run.run->incomplete.empty();
           });
}

ReportInput ReadRuns::reportInput() const {
    ReportInput input;
    for (const AnalysedRun& run : runs) {
        input.runs.push_back(&run);
    }
    input.unreadable = unreadable;
    for (const ReadSnapshot& read : snapshots) {
        input.snapshots.push_back({&read.snapshot, &read.facts});
    }
    input.companions = &companions;
    return input;
}

ReadRuns readRuns(const RunRequest& request, const std::vector<Discovery>& found, RequestObserver& observer,
                  const std::stop_token& stop) {
    ReadRuns out;
    AnalysisOptions options;
    options.clock.file_times = request.file_clocks;
    options.roles = request.roles;
    options.iterations = request.iterations;
    options.efficiency = request.efficiency;
    options.links = request.links;
    options.bucket_sizes = request.bucket_sizes;
    options.keep_replay = request.keep_replay;
    options.model = request.model;
    Result<NameRules> rules = request.name_rules ? Result(*request.name_rules) : NameRules::forUser();
    if (rules.ok()) {
        options.rules = std::move(rules).value();
    } else {
        out.unreadable.push_back(rules.error());
    }
    const Talk talk{observer, stop};
    for (const Discovery& one : found) {
        out.unreadable.insert(out.unreadable.end(), one.refused.begin(), one.refused.end());
        for (const RunSource& source : one.runs) {
            readRun(source, request, options, talk, out);
        }
        out.path_of.resize(out.runs.size(), static_cast<std::size_t>(&one - found.data()));
    }
    readSnapshots(request, out);
    const auto tell = [&observer](const Error& error) { observer.failure(error); };
    std::ranges::for_each(out.unreadable, tell);
    for (const AnalysedRun& run : out.runs) {
        std::ranges::for_each(run.run->unreadable, tell);
        std::ranges::for_each(run.run->incomplete, tell);
    }
    tellOfMissingRanks(request, out.runs, observer);
    return out;
}

}  // namespace rankscope
