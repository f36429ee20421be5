// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ingest/files/path_map.h"
#include "core/trace/run.h"

namespace rankscope {

class ByteStream;      // core/ingest/files/byte_stream.h
struct ArchiveMember;  // core/ingest/files/archive.h

/// One file to read, or one member of an archive.
struct FileSource {
    std::string path;
    std::string member;       ///< name inside an archive, else empty
    std::uint64_t bytes = 0;  ///< on disk, for progress
    /// Where the member is in the archive, as found by discovery; else the archive's directory is read again.
    std::shared_ptr<const ArchiveMember> place = nullptr;
    bool is_named = false;                    ///< the user named it itself, not only a folder or archive around it
    [[nodiscard]] std::string label() const;  ///< file name (and member), for people
    [[nodiscard]] std::string name() const;   ///< path (and member), for errors
    [[nodiscard]] std::string title() const;  ///< file name without its endings: the name of a run of this file alone
};

/// The files of one run, as found on disk. Except for the sources of digests, nothing of them has been read yet.
struct RunSource {
    std::string name;
    std::vector<FileSource> files;
    bool is_one_run = false;  ///< the user says so; else their content may separate them
    /// For files that were named themselves, the position of each in the user's list: the order of their runs. Empty if
    /// a folder or an archive was named.
    std::vector<std::size_t> typed = {};
    /// Why files of several folders are read together, as FoldersTogether::why; their content may separate them again.
    std::string together = {};
    /// Files that are not traces, and what they are, next to those of this run: JSON from folders that contain no
    /// trace, and reports of Nsight Systems. A note of the first run.
    std::vector<Error> no_traces = {};
};

/// The content of a set of paths.
struct Discovery {
    std::vector<RunSource> runs;
    std::vector<Error> refused;            ///< paths that do not exist or are not traces
    std::vector<FileSource> members = {};  ///< all files in archives, except hidden ones and archives
};

/// The start of the cause of the error of a folder or an archive without traces.
inline constexpr std::string_view kContainsNoTrace = "contains no .json";

/// Finds the runs under `paths`: several files are one run if their names do not contradict it; a folder with trace
/// files is a run named after it, and so is each folder in it and in an archive. Folders in one path whose first bytes
/// show that their ranks complete one another (core/ingest/assembly/folders_of_run.h) are read together, and so are
/// digests with their traces. Runs are in the order of `paths`, files at the first of them. Files that are certainly
/// not traces (by name) are skipped inside folders and refused when named directly; folders of JSON that is not a trace
/// are not runs if there are others. If there are several folders, it reads some 100 KiB of each file, on all cores.
[[nodiscard]] Discovery discoverRuns(const std::vector<std::string>& paths);
/// Finds one run of that name: all files under `paths`, in any folders and archives, whatever their content says. No
/// run if there are none.
[[nodiscard]] Discovery discoverRun(const std::string& name, const std::vector<std::string>& paths);

struct LoadOptions {
    unsigned threads = 0;                    ///< 0: one per core
    std::vector<RankNumber> ranks;           ///< keep only these ranks; empty: all
    std::optional<std::int64_t> first_step;  ///< keep only slices that touch these steps (as reports number them),
    std::optional<std::int64_t> last_step;   ///< inclusive; nothing: all
    PathMap path_map;                        ///< where to find the traces of digests
    /// The memory that reading and analysing may take; nothing: defaultMemory(). Of digests that would take more, only
    /// some steps are read in full: core/ingest/reading_plan.h.
    std::optional<std::uint64_t> memory_bytes;
    bool keep_when_stopped = false;  ///< a stop returns the run of the files read by then
};

/// Called with the progress of a load, from worker threads, one call at a time. `file` is an index into
/// RunSource::files.
class LoadObserver {
  public:
    virtual ~LoadObserver() = default;
    /// `done` of `total` bytes on disk are read, with `json_bytes` of JSON.
    virtual void fileProgress(std::size_t file, std::uint64_t done, std::uint64_t total, std::uint64_t json_bytes) {
        (void)file, (void)done, (void)total, (void)json_bytes;
    }
    /// Once for each kept rank of the file.
    virtual void fileLoaded(std::size_t file, const std::shared_ptr<const RankTrace>& rank) { (void)file, (void)rank; }
    virtual void fileFailed(std::size_t file, const Error& error) { (void)file, (void)error; }
    /// A file that the user did not name is not a trace (saysNoTrace() in core/ingest/files/batch_cutter.h): it is a
    /// note of the run, not a failure.
    virtual void fileIsNoTrace(std::size_t file) { (void)file; }
    /// A rank of the file is damaged and is left out; the others of the file are read.
    virtual void rankFailed(std::size_t file, const Error& error) { (void)file, (void)error; }
};

/// The start of the note of a run that ranks in LoadOptions::ranks are missing.
inline constexpr std::string_view kRanksNotThere = "There is no file of ";
/// The text in the note of a run, between two files, if it is unknown whether the file belongs to the run before it or
/// is a run by itself; the user may decide (discoverRun()).
inline constexpr std::string_view kMayBeOneRun = "may be a rank of the same run as ";
/// The cause of the error of a file without any of the steps in LoadOptions.
inline constexpr std::string_view kNoneOfTheSteps = "contains none of the requested steps";

/// Reads all files of a source, and joins those of one run: by numbers of ranks, world sizes, steps and windows
/// (core/ingest/assembly/runs_of_files.h), unless the user decides. A bad file does not affect others: it is in
/// Run::unreadable of the first run. JSON that is not a trace, and that the user did not name, is in its notes. Fails
/// if no file could be read; a stop cancels it. Files of one rank with consecutive windows become one rank trace. Runs
/// of files that the user named are in that order; of those in a folder the one with most ranks comes first. If there
/// are several, Run::notes say why.
[[nodiscard]] Result<std::vector<Run>> loadRuns(const RunSource& source, const LoadOptions& options,
                                                LoadObserver& observer, std::stop_token stop);
/// The first of these runs, with the name of the source; files of the others are in Run::unreadable.
[[nodiscard]] Result<Run> loadRun(const RunSource& source, const LoadOptions& options, LoadObserver& observer,
                                  std::stop_token stop);

/// Reads one file into the traces of its ranks, in order of rank: one, except for files that were merged from several
/// ranks (by TraceFuse, sglang, Perfetto, HTA or by hand), which core/ingest/assembly/ranks_of_file.h separates. The
/// building block of loadRun().
[[nodiscard]] Result<std::vector<RankTrace>> loadRanks(const FileSource& file, const LoadOptions& options,
                                                       LoadObserver& observer, std::stop_token stop);

/// Reads a file of one rank. Fails if it has several.
[[nodiscard]] Result<RankTrace> loadFile(const FileSource& file, const LoadOptions& options, LoadObserver& observer,
                                         std::stop_token stop);

/// What the first `bytes` of a file's text show about its ranks: like loadRanks() on a file that is cut there. Fails
/// for a digest.
[[nodiscard]] Result<std::vector<RankTrace>> loadHead(const FileSource& file, std::uint64_t bytes);

/// The JSON text of one slice's event, unchanged, read back from its file in under 150 ms. Fails if the file is gone,
/// has changed since, or cannot be entered in the middle (a single-frame .zst). A packed export of Nsight Systems is
/// unpacked whole.
[[nodiscard]] Result<std::string> readEventText(const RankTrace& rank, SliceRef slice);
/// The same, with `map` to find the file if there is none at its path. A compressed file of a digest is unpacked from
/// its start, and takes that long.
[[nodiscard]] Result<std::string> readMappedEventText(const RankTrace& rank, SliceRef slice, const PathMap& map);

/// Reads a stream of JSON of one rank into its trace: the part of loadFile() after the file is open, and for tests with
/// a text in memory. `file` gives its name; it is not opened.
[[nodiscard]] Result<RankTrace> loadStream(ByteStream& stream, const FileSource& file, const LoadOptions& options,
                                           LoadObserver& observer, std::stop_token stop);

}  // namespace rankscope
