// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/read_runs.h"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "app/cli/complain.h"
#include "app/cli/progress_line.h"
#include "core/base/format.h"
#include "core/base/suggestion.h"
#include "core/ingest/files/run_names.h"
#include "core/ingest/load.h"
#include "core/ingest/snapshot/load_snapshot.h"

namespace rankscope::cli {
namespace {

/// The typed offsets in the order of the run's ranks.
std::vector<std::optional<DurationNs>> typedOffsets(const Run& run, const Request& request) {
    std::vector<std::optional<DurationNs>> offsets(run.ranks.size());
    for (RankPosition i{0}; i < run.ranks.size() && !request.clock_offsets.empty(); ++i) {
        const auto at = request.clock_offsets.find(run.ranks[i]->rank.value_or(RankNumber(-1)));
        if (at != request.clock_offsets.end()) {
            offsets[i] = at->second;
        }
    }
    return offsets;
}

/// Says so where the user named ranks to read, or to add to the times of, that are not there.
void tellOfMissingRanks(const Request& request, const std::vector<AnalysedRun>& runs) {
    std::set<RankNumber> there;
    for (const AnalysedRun& run : runs) {
        for (const std::string& note : run.run->notes) {
            if (note.starts_with(kRanksNotThere)) {
                complain(run.run->name + ": " + note);
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
            complain("--clock-offset: there is no rank " + std::to_string(rank.value) + "; " + ranks);
        }
    }
}

/// Says so, also in the run's notes, where the user named a kind of iterations that prices cannot be of.
void noteIterations(const Request& request, AnalysedRun& run) {
    const bool any = std::ranges::any_of(run.facts.steps, [&](const RunStep& step) {
        return step.kind == request.iterations && step.complete && step.duration_ns > 0;
    });
    if (!request.iterations || any) {
        return;
    }
    std::string note = "There are no complete iterations of the kind " +
                       std::string(iterationKindName(*request.iterations)) + ", so --iterations is ignored.";
    complain(run.run->name + ": " + note);
    Run noted = *run.run;
    noted.notes.push_back(std::move(note));
    run.run = std::make_shared<const Run>(std::move(noted));
}

/// Says so, also in the run's notes, where some of the steps that the user named are not there.
void noteSteps(const Request& request, AnalysedRun& run) {
    std::set<std::int64_t> there;
    for (const RunStep& step : run.facts.steps) {
        there.insert(step.index);
    }
    std::vector<std::int64_t> missing;
    if (request.load.first_step && request.load.last_step && !there.empty()) {
        constexpr std::int64_t kMostTold = 10'000;  // who names more means all that are there
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
    complain(run.run->name + ": " + note);
    Run noted = *run.run;
    noted.notes.push_back(std::move(note));
    run.run = std::make_shared<const Run>(std::move(noted));
}

/// Adds the analysed run to `out`, or why there is none.
void analyseInto(Run run, const Request& request, AnalysisOptions options, ProgressLine& line, ReadRuns& out) {
    options.clock.typed_offset_ns = typedOffsets(run, request);
    const std::string name = run.name;
    const auto shown = [&line](const Progress& at) { line.show(at.stage, at.done, at.total); };
    Result<AnalysedRun> analysed = analyseRun(std::make_shared<const Run>(std::move(run)), options, shown, {});
    if (analysed.ok()) {
        line.clear();
        noteIterations(request, analysed.value());
        noteSteps(request, analysed.value());
        out.runs.push_back(std::move(analysed).value());
    } else {
        out.unreadable.push_back(analysed.failed() ? analysed.error() : Error{name, {}, "the analysis was cancelled"});
    }
}

/// That what was named to be compared holds several runs, and which.
Error severalRuns(const RunSource& source, const std::vector<Run>& runs) {
    std::string names;
    for (const Run& run : runs) {
        names += (names.empty() ? "" : ", ") + run.name;
    }
    return {source.name, {}, "contains " + std::to_string(runs.size()) + " runs (" + names + "); name one of them"};
}

/// The steps of the first file of a source; empty where it cannot be read.
std::vector<std::int64_t> stepsOfFirstFile(const RunSource& source, const Request& request) {
    LoadOptions options = request.load;
    options.first_step.reset();
    options.last_step.reset();
    LoadObserver nobody;
    Result<Run> run = loadRun({source.name, {source.files.front()}, source.is_one_run}, options, nobody, {});
    std::vector<std::int64_t> steps;
    if (run.ok() && run.value().chosen_steps) {
        std::ranges::transform(run.value().chosen_steps->steps, std::back_inserter(steps), &TabledStep::number);
    } else if (run.ok()) {
        const Result<AnalysedRun> analysed =
            analyseRun(std::make_shared<const Run>(std::move(run).value()), AnalysisOptions(), {}, {});
        if (analysed.ok()) {
            std::ranges::transform(analysed.value().facts.steps, std::back_inserter(steps), &RunStep::index);
        }
    }
    return steps;
}

/// In the place of what each file says: that no file has the steps that the user named, and which there are. The same
/// errors where something else is wrong with a file.
std::vector<Error> aboutSteps(std::vector<Error> failures, const RunSource& source, const Request& request) {
    const auto is_of_steps = [](const Error& error) { return error.cause.find(kNoneOfTheSteps) != std::string::npos; };
    if (failures.empty() || !std::ranges::all_of(failures, is_of_steps)) {
        return failures;
    }
    const std::vector<std::int64_t> steps = stepsOfFirstFile(source, request);
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

/// Adds the runs of `source` to `out`, or why there is none. Where it is to be compared, it has to be one; with
/// --against each of several is a recording of its side.
void readRun(const RunSource& source, const Request& request, const AnalysisOptions& options, ProgressLine& line,
             ReadRuns& out) {
    LoadProgress progress(source, line);
    Result<std::vector<Run>> runs = loadRuns(source, request.load, progress, {});
    if (!runs.ok()) {
        if (progress.failures().empty()) {
            out.unreadable.push_back(runs.failed() ? runs.error() : Error{source.name, {}, "reading was cancelled"});
        }
        const std::vector<Error> failures = aboutSteps(progress.failures(), source, request);
        out.unreadable.insert(out.unreadable.end(), failures.begin(), failures.end());
        return;
    }
    if (request.command == Command::Compare && !request.baselines && runs.value().size() > 1) {
        out.unreadable.push_back(severalRuns(source, runs.value()));
        return;
    }
    if (runs.value().size() > 1) {
        line.clear();
        std::ranges::for_each(runs.value(), [](const Run& run) { complain(run.name + ": " + run.notes.front()); });
    }
    for (Run& run : runs.value()) {
        analyseInto(std::move(run), request, options, line, out);
    }
}

void readSnapshots(const Request& request, ReadRuns& out) {
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

/// The one run at `path`.
Discovery discoverOne(const std::string& path) {
    Discovery found = discoverRuns({path});
    if (found.runs.size() > 1) {
        return {{}, {{path, {}, "contains " + std::to_string(found.runs.size()) + " runs; name one of them"}}};
    }
    return found;
}

}  // namespace

std::vector<Discovery> discover(const Request& request) {
    std::vector<Discovery> asked;
    if (request.command == Command::Compare) {
        for (const std::string& path : request.paths) {
            asked.push_back(request.baselines ? discoverRuns({path}) : discoverOne(path));
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
    return unreadable.empty() && std::ranges::all_of(runs, [](const AnalysedRun& run) {
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
    return input;
}

ReadRuns readRuns(const Request& request, const std::vector<Discovery>& asked) {
    ReadRuns out;
    AnalysisOptions options;
    options.clock.file_times = request.file_clocks;
    options.roles = request.roles;
    options.iterations = request.iterations;
    options.efficiency = request.efficiency;
    options.links = request.links;
    options.bucket_sizes = request.command == Command::Analyze;
    options.model = request.model;
    Result<NameRules> rules = request.name_rules ? Result(*request.name_rules) : NameRules::forUser();
    if (rules.ok()) {
        options.rules = std::move(rules).value();
    } else {
        out.unreadable.push_back(rules.error());
    }
    ProgressLine line;
    for (const Discovery& found : asked) {
        out.unreadable.insert(out.unreadable.end(), found.refused.begin(), found.refused.end());
        for (const RunSource& source : found.runs) {
            readRun(source, request, options, line, out);
        }
        out.path_of.resize(out.runs.size(), static_cast<std::size_t>(&found - asked.data()));
    }
    readSnapshots(request, out);
    line.clear();
    std::ranges::for_each(out.unreadable, [](const Error& error) { complain(error); });
    for (const AnalysedRun& run : out.runs) {
        std::ranges::for_each(run.run->unreadable, [](const Error& error) { complain(error); });
        std::ranges::for_each(run.run->incomplete, [](const Error& error) { complain(error); });
    }
    tellOfMissingRanks(request, out.runs);
    return out;
}

}  // namespace rankscope::cli
