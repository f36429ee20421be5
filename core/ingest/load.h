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
    /// Where the member is in the archive, as discovery found it; else the archive's directory is read again.
    std::shared_ptr<const ArchiveMember> place = nullptr;
    bool is_named = false;                    ///< the user named it itself, and not only what it is in
    [[nodiscard]] std::string label() const;  ///< file name (and member), for people
    [[nodiscard]] std::string name() const;   ///< path (and member), for errors
    [[nodiscard]] std::string title()
        const;  ///< file name without its endings: what a run of this file alone is called
};

/// The files of one run, as found on disk. Nothing of them has been read yet but what digests were made of.
struct RunSource {
    std::string name;
    std::vector<FileSource> files;
    bool is_one_run = false;  ///< the user said so; else their content may separate them
    /// Of files that were named themselves, the place of each among what was typed: the order of the runs that they are
    /// of. Empty if a folder or an archive was named.
    std::vector<std::size_t> typed = {};
    /// Why files of several folders are read together, as FoldersTogether::why; their content may separate them again.
    std::string together = {};
    /// Files of folders without any trace beside those of this run that are JSON and no traces, and what they are: a
    /// note of the first run.
    std::vector<Error> no_traces = {};
};

/// The content of a set of paths.
struct Discovery {
    std::vector<RunSource> runs;
    std::vector<Error> refused;  ///< paths that do not exist or are no traces
};

/// Finds the runs under `paths`: several files are one run, as far as their names tell; a folder with trace files is a
/// run named after it, and so is each folder in it and in an archive. Folders in one path whose first bytes say that
/// their ranks complete one another (core/ingest/assembly/folders_of_run.h) are read together, and so are digests with
/// their traces. They stand in the order that `paths` name them in, files at the first of them. Files that are
/// certainly no traces (by name) are passed over inside folders and refused when named directly; folders of JSON that
/// is no trace are no runs beside others. Where there are several folders, it reads some 100 KiB of each file, on all
/// cores.
[[nodiscard]] Discovery discoverRuns(const std::vector<std::string>& paths);
/// Finds one run of that name: all files under `paths`, however they are in folders and archives, and whatever they say
/// of themselves. No run where there are none.
[[nodiscard]] Discovery discoverRun(const std::string& name, const std::vector<std::string>& paths);

struct LoadOptions {
    unsigned threads = 0;                    ///< 0: one for each core
    std::vector<RankNumber> ranks;           ///< keep only these ranks; empty: all
    std::optional<std::int64_t> first_step;  ///< keep only slices that touch these steps (as reports number them),
    std::optional<std::int64_t> last_step;   ///< inclusive; nothing: all
    PathMap path_map;                        ///< where to look for the traces of digests
    /// How much memory reading and analysing may take; nothing: defaultMemory(). Digests that would take more are read
    /// in full in some steps only: core/ingest/reading_plan.h.
    std::optional<std::uint64_t> memory_bytes;
    bool keep_when_stopped = false;  ///< a stop gives the run of the files that were read by then
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
    /// Once for each rank of the file that is kept.
    virtual void fileLoaded(std::size_t file, const std::shared_ptr<const RankTrace>& rank) { (void)file, (void)rank; }
    virtual void fileFailed(std::size_t file, const Error& error) { (void)file, (void)error; }
    /// A file that nobody named is no trace (saysNoTrace in core/ingest/files/batch_cutter.h): it is a note of the run,
    /// and no failure.
    virtual void fileIsNoTrace(std::size_t file) { (void)file; }
    /// A rank of the file is damaged and is left out; the others of the file are read.
    virtual void rankFailed(std::size_t file, const Error& error) { (void)file, (void)error; }
};

/// How the note of a run begins that ranks which LoadOptions::ranks names are not there.
inline constexpr std::string_view kRanksNotThere = "There is no file of ";
/// What the note of a run says, between two files, where it is unknown whether it is one of ranks of the run before it,
/// or by itself; the user may say so (discoverRun).
inline constexpr std::string_view kMayBeOneRun = "may be a rank of the same run as ";
/// The cause of the error of a file that has none of the steps that LoadOptions names.
inline constexpr std::string_view kNoneOfTheSteps = "contains none of the requested steps";

/// Reads all files of a source, and joins those of one run: by numbers of ranks, world sizes, steps and windows
/// (core/ingest/assembly/runs_of_files.h), unless the user said it. A bad file does not affect others: it is in
/// Run::unreadable of the first run. JSON that is no trace, and that nobody named, is in its notes. Fails when no file
/// could be read, and is cancelled by a stop. Files of one rank with consecutive windows become one rank trace. Runs of
/// typed files are in that order; of those in a folder the one with most ranks comes first. If there are several,
/// Run::notes say why.
[[nodiscard]] Result<std::vector<Run>> loadRuns(const RunSource& source, const LoadOptions& options,
                                                LoadObserver& observer, std::stop_token stop);
/// The first of them, by the name of the source; files of the others are refused: they are in Run::unreadable.
[[nodiscard]] Result<Run> loadRun(const RunSource& source, const LoadOptions& options, LoadObserver& observer,
                                  std::stop_token stop);

/// Reads one file into the traces of its ranks, in order of rank: one, but for files that were merged from those of
/// several ranks (by TraceFuse, sglang, Perfetto, HTA or by hand), which are separated by core/ingest/assembly/
/// ranks_of_file.h. The building block of loadRun.
[[nodiscard]] Result<std::vector<RankTrace>> loadRanks(const FileSource& file, const LoadOptions& options,
                                                       LoadObserver& observer, std::stop_token stop);

/// Reads a file of one rank. Fails if it has several.
[[nodiscard]] Result<RankTrace> loadFile(const FileSource& file, const LoadOptions& options, LoadObserver& observer,
                                         std::stop_token stop);

/// What the first `bytes` of a file's text say of its ranks: as loadRanks() of a file that is cut there. Fails for a
/// digest.
[[nodiscard]] Result<std::vector<RankTrace>> loadHead(const FileSource& file, std::uint64_t bytes);

/// The JSON text of one slice's event, word for word, read back from its file in under 150 ms. Fails where the file is
/// gone, has changed since, or cannot be entered in the middle (a single-frame .zst).
[[nodiscard]] Result<std::string> readEventText(const RankTrace& rank, SliceRef slice);
/// The same, with `map` to find the file if there is none at its path. A compressed file of a digest is unpacked from
/// its start, and takes as long as that.
[[nodiscard]] Result<std::string> readMappedEventText(const RankTrace& rank, SliceRef slice, const PathMap& map);

/// Reads a stream of JSON of one rank into its trace: what loadFile does once the file is open, and what a test does
/// with a text in memory. `file` gives its name; nothing of it is opened.
[[nodiscard]] Result<RankTrace> loadStream(ByteStream& stream, const FileSource& file, const LoadOptions& options,
                                           LoadObserver& observer, std::stop_token stop);

}  // namespace rankscope
