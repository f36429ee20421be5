// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/digest/step_table.h"
#include "core/ingest/assembly/loaded_parts.h"
#include "core/ingest/assembly/ranks_of_run.h"
#include "core/ingest/assembly/run_notes.h"
#include "core/ingest/assembly/runs_of_files.h"
#include "core/ingest/files/archive.h"
#include "core/ingest/files/batch_cutter.h"
#include "core/ingest/files/content_hash.h"
#include "core/ingest/files/holds_digest.h"
#include "core/ingest/files/run_names.h"
#include "core/ingest/load.h"
#include "core/ingest/reading_plan.h"
#include "core/trace/forecast_mark.h"

namespace rankscope {
namespace {

/// Passes on the reports of one file, with the file's index, one call at a time.
class FileObserver final : public LoadObserver {
  public:
    FileObserver(LoadObserver& to, std::mutex& mutex, std::size_t file) : to_(to), mutex_(mutex), file_(file) {}
    void fileProgress(std::size_t /*file*/, std::uint64_t done, std::uint64_t total, std::uint64_t unpacked) override {
        const std::scoped_lock lock(mutex_);
        to_.fileProgress(file_, done, total, unpacked);
    }
    void rankFailed(std::size_t /*file*/, const Error& error) override {
        const std::scoped_lock lock(mutex_);
        failed_.push_back(error);
        to_.rankFailed(file_, error);
    }
    [[nodiscard]] const std::vector<Error>& failed() const { return failed_; }

  private:
    LoadObserver& to_;
    std::mutex& mutex_;
    std::size_t file_;
    std::vector<Error> failed_;
};

struct Loaded {
    std::vector<std::shared_ptr<RankTrace>> traces;  ///< traces of the file's ranks
    std::vector<Error> failed_ranks;                 ///< unreadable ranks of the file
    std::optional<Error> error;
    bool is_no_trace = false;  ///< the error says so, and the user did not name the file
};

bool wanted(const RankTrace& trace, const LoadOptions& options) {
    return options.ranks.empty() ||
           (trace.rank && std::ranges::find(options.ranks, *trace.rank) != options.ranks.end());
}

/// Loads all files, several at once if there are several.
std::vector<Loaded> loadAll(const RunSource& source, const LoadOptions& options, LoadObserver& observer,
                            const std::stop_token& stop) {
    const unsigned threads = threadCount(options.threads);
    const auto at_once = std::min<std::size_t>(threads, source.files.size());
    LoadOptions each = options;
    each.threads = std::max<unsigned>(1, threads / static_cast<unsigned>(std::max<std::size_t>(1, at_once)));
    std::vector<Loaded> loaded(source.files.size());
    std::vector<FileSource> files = source.files;
    const std::vector<std::size_t> order = shareTexts(files);
    std::mutex mutex;
    forEachIndex(loaded.size(), at_once, [&](std::size_t place) {
        const std::size_t i = order[place];
        if (stop.stop_requested()) {
            return;
        }
        FileObserver file_observer(observer, mutex, i);
        Result<std::vector<RankTrace>> result = loadRanks(files[i], each, file_observer, stop);
        const std::scoped_lock lock(mutex);
        loaded[i].failed_ranks = file_observer.failed();
        if (result.ok()) {
            for (RankTrace& rank : result.value()) {
                auto trace = std::make_shared<RankTrace>(std::move(rank));
                if (wanted(*trace, options)) {
                    observer.fileLoaded(i, trace);
                }
                loaded[i].traces.push_back(std::move(trace));
            }
        } else if (result.failed()) {
            loaded[i].error = result.error();
            loaded[i].is_no_trace = !source.files[i].is_named && saysNoTrace(result.error());
            if (loaded[i].is_no_trace) {
                observer.fileIsNoTrace(i);
            } else {
                observer.fileFailed(i, result.error());
            }
        }
    });
    return loaded;
}

/// The text about a file that ends too early.
std::string whyIncomplete(const RankTrace& trace) {
    const auto why = std::ranges::find_if(
        trace.health.notes, [](const std::string& note) { return note.starts_with("The file ends before it should"); });
    return why == trace.health.notes.end() ? "the file ends too early" : *why;
}

/// Adds the files that end too early: a file with several ranks once, and each file of a digest.
void addIncomplete(const std::vector<std::shared_ptr<RankTrace>>& of_file, std::vector<Error>& incomplete) {
    std::set<std::string> named;
    for (const auto& trace : of_file) {
        if (trace->health.truncated && named.insert(nameOf(*trace)).second) {
            incomplete.push_back({nameOf(*trace), std::nullopt, whyIncomplete(*trace)});
        }
    }
}

/// The folder that a file is in.
std::string folderOf(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

/// The folder of a file, also in an archive.
std::string folderOf(const FileSource& file) {
    return folderOf(file.member.empty() ? file.path : file.path + "/" + file.member);
}

/// "a.digest", or "a.digest and 3 others".
std::string namesOf(const std::set<std::string>& names) {
    return names.size() == 1
               ? *names.begin()
               : fmt::format("{} and {} other{}", *names.begin(), names.size() - 1, names.size() == 2 ? "" : "s");
}

/// What of a run was read from digests, and where their traces were: they may no longer be there.
struct ReadDigests {
    std::set<std::string> digests;
    std::set<std::string> folders;
    std::size_t traces = 0;

    void add(const std::string& file, const std::vector<std::shared_ptr<RankTrace>>& of_file) {
        for (const auto& trace : of_file) {
            for (const TraceFile& of_trace : trace->files) {
                if (!of_trace.seek_index) {  // only traces read from the file itself have one
                    digests.insert(file);
                    folders.insert(folderOf(of_trace.path));
                    ++traces;
                }
            }
        }
    }
    void note(Run& run) const {
        if (traces > 0) {
            run.notes.push_back(fmt::format("Read from {} instead of {} that {} recorded in {}.", namesOf(digests),
                                            formatCounted(traces, "trace"), traces == 1 ? "was" : "were",
                                            namesOf(folders)));
        }
    }
};

std::string stoppedNote(const std::vector<Loaded>& loaded) {
    const auto read = std::ranges::count_if(loaded, [](const Loaded& file) { return !file.traces.empty(); });
    return "Reading was stopped: " + std::to_string(read) + " of " + std::to_string(loaded.size()) +
           " files were read.";
}

/// Finds the members of archives that were not found before, each archive once.
void findMembers(std::vector<FileSource>& files) {
    std::map<std::string, std::map<std::string, std::shared_ptr<const ArchiveMember>>> archives;
    for (FileSource& file : files) {
        if (file.member.empty() || file.place) {
            continue;
        }
        const auto [archive, first] = archives.try_emplace(file.path);
        if (first) {
            const Result<ArchiveDirectory> directory = readArchiveDirectory(file.path);
            for (const ArchiveMember& member :
                 directory.ok() ? directory.value().members : std::vector<ArchiveMember>()) {
                archive->second[member.name] = std::make_shared<const ArchiveMember>(member);
            }
        }
        if (const auto place = archive->second.find(file.member); place != archive->second.end()) {
            file.place = place->second;
        }
    }
}

/// Makes a run of the parts at `places`.
Run makeRun(const RunSource& source, std::vector<LoadedPart>& parts, const std::vector<std::size_t>& places,
            bool some_steps) {
    Run run;
    ReadDigests digests;
    std::set<std::string> left_out;
    std::set<std::string> folders;
    std::vector<std::shared_ptr<RankTrace>> traces;
    for (const std::size_t i : places) {
        folders.insert(folderOf(source.files[parts[i].file]));
        std::vector<std::shared_ptr<RankTrace>>& of_file = parts[i].traces;
        addIncomplete(of_file, run.incomplete);
        digests.add(source.files[parts[i].file].name(), of_file);
        left_out.insert(parts[i].left_out.begin(), parts[i].left_out.end());
        std::ranges::move(of_file, std::back_inserter(traces));
    }
    takeRanks(std::move(traces), some_steps, run);
    noteForecast(run);
    noteMissing(run);
    noteWindows(run);
    noteHoles(run);
    digests.note(run);
    noteFolders(source.together, folders, run);
    if (!left_out.empty()) {
        run.notes.push_back(fmt::format("Traces that {} replace{} are read once, from other files of this run.",
                                        namesOf(left_out), left_out.size() == 1 ? "s" : ""));
    }
    return run;
}

/// A part as input for tellRunsApart(). If a file has several parts, these are joined first.
FoundFile foundFile(const RunSource& source, const LoadedPart& part, bool is_alone) {
    const FileSource& file = source.files[part.file];
    const auto folder_of_trace = [](const TraceFile& trace) { return folderOf(FileSource{trace.path, trace.member}); };
    const std::string folder =
        part.traces.empty() ? std::string() : folder_of_trace(part.traces.front()->files.front());
    return {part.traces, is_alone ? folderOf(file) : file.name(), folder,
            source.typed.empty() ? 0 : source.typed[part.file]};
}

/// Which of the parts are of one run; all of them if the user said so.
std::vector<FilesOfRun> divide(const RunSource& source, const std::vector<LoadedPart>& parts) {
    std::vector<std::size_t> parts_of_file(source.files.size());
    for (const LoadedPart& part : parts) {
        ++parts_of_file[part.file];
    }
    std::vector<FoundFile> files;
    FilesOfRun all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        files.push_back(foundFile(source, parts[i], parts_of_file[parts[i].file] == 1));
        if (!parts[i].traces.empty()) {
            all.files.push_back(i);
        }
    }
    if (!source.is_one_run) {
        return tellRunsApart(files, !source.typed.empty());
    }
    return all.files.empty() ? std::vector<FilesOfRun>() : std::vector{all};
}

/// The names of several runs of a source.
std::vector<std::string> namesOf(const RunSource& source, const std::vector<LoadedPart>& parts,
                                 const std::vector<FilesOfRun>& divided) {
    std::vector<std::vector<FileOfRun>> runs;
    for (const FilesOfRun& run : divided) {
        std::vector<FileOfRun>& files = runs.emplace_back();
        for (const std::size_t i : run.files) {
            const TraceFile& trace = parts[i].traces.front()->files.front();
            files.push_back({parts[i].file, parts[i].named, {trace.path, trace.member}});
        }
    }
    return namesOfRuns(source, runs);
}

/// Why one of several runs of a source is separate.
std::string dividedNote(const RunSource& source, std::size_t runs, const FilesOfRun& run) {
    const std::string holds = source.typed.size() > 1 ? "The paths contain " : source.name + " contains ";
    const std::string why = run.why.empty() ? "; this is one of them." : ": " + run.what + " " + run.why + ".";
    return holds + std::to_string(runs) + " runs" + why +
           (run.why.starts_with(kMayBeOneRun) ? " --run NAME=PATH... makes them one run." : "");
}

/// A run, and why it is separate from the previous run.
struct OwnRun {
    Run run;
    std::string what;  ///< as FilesOfRun
    std::string why;
};

/// The runs that the files are of.
std::vector<OwnRun> makeRuns(const RunSource& source, std::vector<Loaded>& loaded, bool some_steps,
                             const std::optional<std::string>& note) {
    TracesOfFiles traces;
    std::ranges::transform(loaded, std::back_inserter(traces), [](Loaded& one) { return std::move(one.traces); });
    std::vector<LoadedPart> parts = partsOf(source, std::move(traces));
    const std::vector<FilesOfRun> divided = divide(source, parts);
    const std::vector<std::string> names =
        divided.size() > 1 ? namesOf(source, parts, divided) : std::vector<std::string>{source.name};
    std::vector<OwnRun> runs;
    for (std::size_t i = 0; i < divided.size(); ++i) {
        Run run = makeRun(source, parts, divided[i].files, some_steps);
        run.name = names[i];
        if (divided.size() > 1) {
            run.notes.insert(run.notes.begin(), dividedNote(source, divided.size(), divided[i]));
        }
        if (note) {
            run.notes.insert(run.notes.begin(), *note);
        }
        if (!run.ranks.empty()) {
            runs.push_back({std::move(run), divided[i].what, divided[i].why});
        }
    }
    return runs;
}

void noteChosenSteps(const std::shared_ptr<const ChosenSteps>& chosen, Run& run) {
    run.chosen_steps = chosen;
    if (chosen) {
        run.notes.insert(run.notes.begin(), chosenStepsNote(*chosen));
    }
}

/// "ranks 0 to 3"
std::string rankList(const std::set<RankNumber>& ranks) {
    std::vector<std::int64_t> numbers;
    std::ranges::transform(ranks, std::back_inserter(numbers), &RankNumber::value);
    return formatNumbered("rank", numbers, ListStyle::Sentence);
}

/// The numbers of all ranks of a source, including those that were not requested.
std::set<RankNumber> ranksThere(const RunSource& source, const std::vector<Loaded>& loaded) {
    std::set<RankNumber> there;
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        for (const auto& trace : loaded[i].traces) {
            there.insert(trace->rank.value_or(RankNumber(-1)));
        }
        // From a digest only the requested ranks were read.
        const Result<std::vector<DigestedRank>> listed =
            holdsDigest(source.files[i]) ? readDigestedRanks({source.files[i].path}) : std::vector<DigestedRank>();
        for (const DigestedRank& rank : listed.ok() ? listed.value() : std::vector<DigestedRank>()) {
            there.insert(rank.rank.value_or(RankNumber(-1)));
        }
    }
    there.erase(RankNumber(-1));
    return there;
}

/// The note about requested ranks that do not exist; empty if all do.
std::string ranksNotThere(const RunSource& source, const std::vector<Loaded>& loaded, const LoadOptions& options) {
    std::set<RankNumber> missing(options.ranks.begin(), options.ranks.end());
    for (const Loaded& file : loaded) {
        for (const auto& trace : file.traces) {
            missing.erase(trace->rank.value_or(RankNumber(-1)));
        }
    }
    if (missing.empty()) {
        return {};
    }
    const std::set<RankNumber> there = ranksThere(source, loaded);
    return std::string(kRanksNotThere) + rankList(missing) + ", which " + (missing.size() == 1 ? "was" : "were") +
           " requested; " +
           (there.empty() ? std::string("no file names its rank.")
                          : "there " + std::string(there.size() == 1 ? "is " : "are ") + rankList(there) + ".");
}

Result<std::vector<OwnRun>> loadOwnRuns(const RunSource& source, const LoadOptions& options, LoadObserver& observer,
                                        const std::stop_token& stop) {
    RunSource found = source;
    findMembers(found.files);
    const Result<ReadingPlan> plan = planReading(found, options);
    if (!plan.ok()) {
        return plan.error();
    }
    std::vector<Loaded> loaded = loadAll(found, plan.value().options, observer, stop);
    const bool stopped = stop.stop_requested();
    if (stopped && !options.keep_when_stopped) {
        return Cancelled{};
    }
    const std::optional<std::string> note = stopped ? std::optional(stoppedNote(loaded)) : std::nullopt;
    const std::string not_there = ranksNotThere(found, loaded, options);
    std::vector<Error> unreadable;
    std::vector<Error> no_traces = source.no_traces;
    for (Loaded& file : loaded) {
        if (file.error) {
            (file.is_no_trace ? no_traces : unreadable).push_back(*file.error);
        }
        unreadable.insert(unreadable.end(), file.failed_ranks.begin(), file.failed_ranks.end());
        std::erase_if(file.traces, [&](const auto& trace) { return !wanted(*trace, options); });
    }
    const LoadOptions& read = plan.value().options;
    std::vector<OwnRun> runs = makeRuns(source, loaded, read.first_step || read.last_step, note);
    if (runs.empty() && stopped) {
        return Cancelled{};
    }
    if (runs.empty()) {
        const std::string why = "contains none of the requested ranks";
        unreadable.insert(unreadable.end(), no_traces.begin(), no_traces.end());
        return unreadable.empty() ? Error{source.name, std::nullopt, not_there.empty() ? why : why + ". " + not_there}
                                  : unreadable.front();
    }
    for (OwnRun& own : runs) {
        noteChosenSteps(plan.value().chosen, own.run);
    }
    if (!not_there.empty() && !stopped) {
        runs.front().run.notes.push_back(not_there);
    }
    noteNoTraces(no_traces, runs.front().run);
    std::vector<Error>& told = runs.front().run.unreadable;
    told.insert(told.begin(), unreadable.begin(), unreadable.end());
    return runs;
}

/// Refuses the files of `other` in `run`, by name.
void refuseFilesOf(const OwnRun& other, Run& run) {
    const std::string none = "is not part of this run";
    const bool is_named =
        std::ranges::any_of(other.run.ranks, [&other](const auto& rank) { return nameOf(*rank) == other.what; });
    for (const auto& rank : other.run.ranks) {
        const bool first = is_named ? nameOf(*rank) == other.what : rank == other.run.ranks.front();
        const std::string& why = first && !other.why.empty() ? other.why : none;
        run.unreadable.push_back({nameOf(*rank), std::nullopt, why + openItself(*rank)});
    }
    run.unreadable.insert(run.unreadable.end(), other.run.unreadable.begin(), other.run.unreadable.end());
}

}  // namespace

Result<std::vector<Run>> loadRuns(const RunSource& source, const LoadOptions& options, LoadObserver& observer,
                                  std::stop_token stop) {
    Result<std::vector<OwnRun>> loaded = loadOwnRuns(source, options, observer, stop);
    if (loaded.cancelled()) {
        return Cancelled{};
    }
    if (!loaded.ok()) {
        return loaded.error();
    }
    std::vector<Run> runs;
    for (OwnRun& own : loaded.value()) {
        runs.push_back(std::move(own.run));
    }
    return runs;
}

Result<Run> loadRun(const RunSource& source, const LoadOptions& options, LoadObserver& observer, std::stop_token stop) {
    Result<std::vector<OwnRun>> loaded = loadOwnRuns(source, options, observer, stop);
    if (loaded.cancelled()) {
        return Cancelled{};
    }
    if (!loaded.ok()) {
        return loaded.error();
    }
    std::vector<OwnRun>& runs = loaded.value();
    Run run = std::move(runs.front().run);
    run.name = source.name;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        refuseFilesOf(runs[i], run);
    }
    return run;
}

}  // namespace rankscope
