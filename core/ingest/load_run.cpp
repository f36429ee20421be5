// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/ingest/assembly/assemble.h"
#include "core/ingest/bounds.h"
#include "core/ingest/files/zip_archive.h"
#include "core/ingest/load.h"

namespace rankscope {
namespace {

/// Passes on what one file reports, with the file's index, one call at a time.
class FileObserver final : public LoadObserver {
  public:
    FileObserver(LoadObserver& to, std::mutex& mutex, std::size_t file) : to_(to), mutex_(mutex), file_(file) {}
    void fileProgress(std::size_t /*file*/, std::uint64_t done, std::uint64_t total, std::uint64_t json) override {
        const std::scoped_lock lock(mutex_);
        to_.fileProgress(file_, done, total, json);
    }

  private:
    LoadObserver& to_;
    std::mutex& mutex_;
    std::size_t file_;
};

struct Loaded {
    std::vector<std::shared_ptr<RankTrace>> traces;  ///< of the file's ranks
    std::optional<Error> error;
};

bool wanted(const RankTrace& trace, const LoadOptions& options) {
    return options.ranks.empty() ||
           (trace.rank && std::ranges::find(options.ranks, *trace.rank) != options.ranks.end());
}

/// Loads all files, several at once where there are several.
std::vector<Loaded> loadAll(const RunSource& source, const LoadOptions& options, LoadObserver& observer,
                            const std::stop_token& stop) {
    const unsigned threads = threadCount(options.threads);
    const auto at_once = std::min<std::size_t>(threads, source.files.size());
    LoadOptions each = options;
    each.threads = std::max<unsigned>(1, threads / static_cast<unsigned>(std::max<std::size_t>(1, at_once)));
    std::vector<Loaded> loaded(source.files.size());
    std::mutex mutex;
    forEachIndex(loaded.size(), at_once, [&](std::size_t i) {
        if (stop.stop_requested()) {
            return;
        }
        FileObserver file_observer(observer, mutex, i);
        Result<std::vector<RankTrace>> result = loadRanks(source.files[i], each, file_observer, stop);
        const std::scoped_lock lock(mutex);
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
            observer.fileFailed(i, result.error());
        }
    });
    return loaded;
}

/// Ranks by the order of the files where no file names one; one file alone stays without a rank.
void rankByOrder(std::vector<std::shared_ptr<RankTrace>>& traces) {
    const bool none = std::ranges::none_of(traces, [](const auto& t) { return t->rank.has_value(); });
    if (none && traces.size() > 1) {
        for (std::size_t i = 0; i < traces.size(); ++i) {
            traces[i] = joinWindows({traces[i]});
            traces[i]->rank = RankNumber(i);
            traces[i]->rank_origin = RankOrigin::Order;
        }
    }
}

/// Whether two traces have a host process in common, as windows of one job do.
bool sameProcess(const RankTrace& a, const RankTrace& b) {
    const auto processes = [](const RankTrace& trace) {
        std::set<std::string_view> ids;
        for (const Track& track : trace.tracks) {
            if (track.kind == TrackKind::CpuThread) {
                ids.insert(trace.strings.view(track.process));
            }
        }
        return ids;
    };
    const std::set<std::string_view> of_a = processes(a);
    const std::set<std::string_view> of_b = processes(b);
    return std::ranges::any_of(of_a, [&](std::string_view id) { return of_b.contains(id); });
}

/// What errors call the file that a trace begins with.
std::string nameOf(const RankTrace& trace) {
    const TraceFile& file = trace.files.front();
    return file.member.empty() ? file.path : file.path + ":" + file.member;
}

/// Why `later` is no further window of the rank that `earlier` is of; empty where it is one.
std::string notInSequence(const RankTrace& earlier, const RankTrace& later) {
    const std::string both =
        "is of rank " + std::to_string(later.rank.value_or(RankNumber(-1)).value) + " as " + nameOf(earlier) + " is, ";
    if (later.window.start_ns < earlier.window.end_ns) {
        return both + "at the same time: it belongs to another run; open that by itself";
    }
    if (!sameProcess(earlier, later)) {
        return both + "but of another process: it belongs to another run; open that by itself";
    }
    return {};
}

/// Files of one rank, sorted by time, as one trace. A file that does not continue the ones before is refused.
std::shared_ptr<RankTrace> inSequence(std::vector<std::shared_ptr<RankTrace>> files, std::vector<Error>& refused) {
    std::ranges::stable_sort(files, {}, [](const auto& t) { return t->window.start_ns; });
    std::vector<std::shared_ptr<RankTrace>> windows;
    for (const auto& file : files) {
        std::string why = windows.empty() ? std::string() : notInSequence(*windows.back(), *file);
        if (windows.size() >= kMostFilesOfARank) {
            why = "is one of more than " + std::to_string(kMostFilesOfARank) + " files of a rank";
        }
        if (!why.empty()) {
            refused.push_back({nameOf(*file), std::nullopt, why});
        } else {
            windows.push_back(file);
        }
    }
    return windows.size() == 1 ? windows.front() : joinWindows(windows);
}

/// What is said of a file that ends too early.
std::string whyIncomplete(const RankTrace& trace) {
    const auto why = std::ranges::find_if(
        trace.health.notes, [](const std::string& note) { return note.starts_with("The file ends before it should"); });
    return why == trace.health.notes.end() ? "the file ends too early" : *why;
}

void noteWindows(Run& run) {
    if (run.ranks.size() < 2) {
        return;
    }
    const auto [first, last] = std::ranges::minmax(run.ranks, {}, [](const auto& r) { return r->window.start_ns; });
    const DurationNs apart = last->window.start_ns - first->window.start_ns;
    constexpr DurationNs kWorthSaying = 1'000'000;
    if (apart >= kWorthSaying) {
        run.notes.push_back("The windows of the ranks start up to " + formatDuration(apart) + " apart.");
    }
    const TimeNs ends = std::ranges::min(run.ranks, {}, [](const auto& r) { return r->window.end_ns; })->window.end_ns;
    if (ends <= last->window.start_ns) {
        run.notes.emplace_back("The windows of the ranks have no moment in common: they may be of different runs.");
    }
}

void noteStopped(const std::vector<Loaded>& loaded, Run& run) {
    const auto read = std::ranges::count_if(loaded, [](const Loaded& file) { return !file.traces.empty(); });
    run.notes.push_back("Reading was stopped: " + std::to_string(read) + " of " + std::to_string(loaded.size()) +
                        " files are read.");
}

void noteMissing(Run& run) {
    std::int32_t world = 0;  // at most kMostRanks
    std::set<RankNumber> present;
    for (const auto& rank : run.ranks) {
        world = std::max(world, rank->world_size.value_or(0));
        if (rank->rank) {
            present.insert(*rank->rank);
        }
    }
    if (present.empty()) {
        return;
    }
    const auto of_world = std::distance(present.begin(), present.lower_bound(RankNumber(world)));
    run.missing_count = static_cast<std::uint64_t>(world - of_world);
    for (std::int32_t rank = 0; rank < world && run.missing_ranks.size() < kMissingRanksListed; ++rank) {
        if (!present.contains(RankNumber(rank))) {
            run.missing_ranks.emplace_back(rank);
        }
    }
    if (run.missing_count > run.missing_ranks.size()) {
        run.notes.push_back("There is no file for " + std::to_string(run.missing_count) + " of the " +
                            std::to_string(world) + " ranks of the job; the first " +
                            std::to_string(run.missing_ranks.size()) + " of them are listed.");
    }
}

/// Finds the members of archives that nobody found before, each archive once.
void findMembers(std::vector<FileSource>& files) {
    std::map<std::string, std::map<std::string, std::shared_ptr<const ZipMember>>> archives;
    for (FileSource& file : files) {
        if (file.member.empty() || file.place) {
            continue;
        }
        const auto [archive, first] = archives.try_emplace(file.path);
        if (first) {
            const Result<ZipDirectory> directory = readZipDirectory(file.path);
            for (const ZipMember& member : directory.ok() ? directory.value().members : std::vector<ZipMember>()) {
                archive->second[member.name] = std::make_shared<const ZipMember>(member);
            }
        }
        if (const auto place = archive->second.find(file.member); place != archive->second.end()) {
            file.place = place->second;
        }
    }
}

/// The traces of each rank as one, and what has to be left out of them.
void takeRanks(std::map<RankNumber, std::vector<std::shared_ptr<RankTrace>>> by_rank, Run& run) {
    for (auto& [rank, files] : by_rank) {
        const Error no_memory{nameOf(*files.front()), std::nullopt,
                              "out of memory while joining the files of rank " + std::to_string(rank.value)};
        try {
            run.ranks.push_back(inSequence(std::move(files), run.unreadable));
        } catch (const std::bad_alloc&) {
            run.unreadable.push_back(no_memory);
        }
    }
}

}  // namespace

Result<Run> loadRun(const RunSource& source, const LoadOptions& options, LoadObserver& observer, std::stop_token stop) {
    RunSource found = source;
    findMembers(found.files);
    std::vector<Loaded> loaded = loadAll(found, options, observer, stop);
    const bool stopped = stop.stop_requested();
    if (stopped && !options.keep_when_stopped) {
        return Cancelled{};
    }
    Run run;
    run.name = source.name;
    std::vector<std::shared_ptr<RankTrace>> traces;
    if (stopped) {
        noteStopped(loaded, run);
    }
    for (Loaded& file : loaded) {
        if (file.error) {
            run.unreadable.push_back(*file.error);
            continue;
        }
        std::erase_if(file.traces, [&](const auto& trace) { return !wanted(*trace, options); });
        if (!file.traces.empty() && file.traces.front()->health.truncated) {
            run.incomplete.push_back({nameOf(*file.traces.front()), std::nullopt, whyIncomplete(*file.traces.front())});
        }
        std::ranges::move(file.traces, std::back_inserter(traces));
    }
    rankByOrder(traces);
    std::map<RankNumber, std::vector<std::shared_ptr<RankTrace>>> by_rank;
    std::vector<std::shared_ptr<RankTrace>> without_rank;
    for (auto& trace : traces) {
        if (trace->rank) {
            by_rank[*trace->rank].push_back(std::move(trace));
        } else {
            without_rank.push_back(std::move(trace));
        }
    }
    takeRanks(std::move(by_rank), run);
    run.ranks.insert(run.ranks.end(), without_rank.begin(), without_rank.end());
    if (run.ranks.empty() && stopped) {
        return Cancelled{};
    }
    if (run.ranks.empty()) {
        if (!run.unreadable.empty()) {
            return run.unreadable.front();
        }
        return Error{source.name, std::nullopt, "holds none of the ranks that were asked for"};
    }
    noteMissing(run);
    noteWindows(run);
    return run;
}

}  // namespace rankscope
