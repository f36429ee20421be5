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

class ByteStream;  // core/ingest/files/byte_stream.h
struct ZipMember;  // core/ingest/files/zip_archive.h

/// One file to read, or one member of a zip archive.
struct FileSource {
    std::string path;
    std::string member;       ///< name inside a zip, else empty
    std::uint64_t bytes = 0;  ///< on disk, for progress
    /// Where the member stands in the archive, as discovery found it; else the archive's directory is read again.
    std::shared_ptr<const ZipMember> place = nullptr;
    [[nodiscard]] std::string label() const;  ///< file name (and member), for people
    [[nodiscard]] std::string name() const;   ///< path (and member), for errors
    [[nodiscard]] std::string title()
        const;  ///< file name without its endings: what a run of this file alone is called
};

/// The files of one run, as found on disk. Nothing of them has been read yet but what digests were made of.
struct RunSource {
    std::string name;
    std::vector<FileSource> files;
    bool is_one_run = false;  ///< the user said so; else what is read of them may tell them apart
    /// Of files that were named themselves, the place of each among what was typed: the order of the runs that they are
    /// of. Empty where a folder or an archive was named.
    std::vector<std::size_t> typed = {};
};

/// What a set of paths holds.
struct Discovery {
    std::vector<RunSource> runs;
    std::vector<Error> refused;  ///< paths that do not exist or are no traces
};

/// Finds the runs under `paths`: several files are one run, as far as their names tell; a folder with trace files is a
/// run named after it; a folder of such folders is a run each, but for one of digests whose traces all lie in another
/// of them; a zip is a run with its members. They stand in the order that `paths` name them in, files at the first of
/// them. Files that are certainly no traces (by name) are passed over inside folders and refused when named directly.
[[nodiscard]] Discovery discoverRuns(const std::vector<std::string>& paths);
/// Finds one run of that name: all files under `paths`, however they lie in folders and archives, and whatever they say
/// of themselves. No run where there are none.
[[nodiscard]] Discovery discoverRun(const std::string& name, const std::vector<std::string>& paths);

struct LoadOptions {
    unsigned threads = 0;                    ///< 0: one for each core
    std::vector<RankNumber> ranks;           ///< keep only these ranks; empty: all
    std::optional<std::int64_t> first_step;  ///< keep only slices that touch these steps (as reports number them),
    std::optional<std::int64_t> last_step;   ///< inclusive; nothing: all
    PathMap path_map;                        ///< where traces that digests stand for are looked for
    /// How much memory reading and analysing may take; nothing: usualMemory(). Digests that would take more are read in
    /// full in some steps only: core/ingest/reading_plan.h.
    std::optional<std::uint64_t> memory_bytes;
    bool keep_when_stopped = false;  ///< a stop gives the run of the files that were read by then
};

/// Is told how a load goes on, from worker threads, one call at a time. `file` is an index into RunSource::files.
class LoadObserver {
  public:
    virtual ~LoadObserver() = default;
    /// `done` of `total` bytes on disk are read; `json_bytes` of JSON came out of them.
    virtual void fileProgress(std::size_t file, std::uint64_t done, std::uint64_t total, std::uint64_t json_bytes) {
        (void)file, (void)done, (void)total, (void)json_bytes;
    }
    /// Once for each rank of the file that is kept.
    virtual void fileLoaded(std::size_t file, const std::shared_ptr<const RankTrace>& rank) { (void)file, (void)rank; }
    virtual void fileFailed(std::size_t file, const Error& error) { (void)file, (void)error; }
    /// A rank of the file is damaged and is left out; the others of the file are read.
    virtual void rankFailed(std::size_t file, const Error& error) { (void)file, (void)error; }
};

/// How the note of a run begins that ranks which LoadOptions::ranks names are not there.
inline constexpr std::string_view kRanksNotThere = "No file is of ";
/// The cause of the error of a file that has none of the steps that LoadOptions names.
inline constexpr std::string_view kNoneOfTheSteps = "holds none of the steps that were asked for";

/// Reads all files of a source, and puts those together that are of one run: numbers of ranks, world sizes, steps and
/// windows tell (core/ingest/assembly/runs_of_files.h), where the user did not. A bad file costs itself only: it stands
/// in Run::unreadable of the first run. Fails when no file could be read, and is cancelled by a stop. Files of one rank
/// whose windows follow one another become one rank trace. Runs of files that were typed stand in that order; of those
/// in a folder the one with most ranks comes first. Where there are several, Run::notes say why.
[[nodiscard]] Result<std::vector<Run>> loadRuns(const RunSource& source, const LoadOptions& options,
                                                LoadObserver& observer, std::stop_token stop);
/// The first of them, by the name of the source; files of the others are refused: they stand in Run::unreadable.
[[nodiscard]] Result<Run> loadRun(const RunSource& source, const LoadOptions& options, LoadObserver& observer,
                                  std::stop_token stop);

/// Reads one file into the traces of its ranks, in order of rank: one, but for files that were merged from those of
/// several ranks (by TraceFuse, sglang, Perfetto, HTA or by hand), which are told apart by core/ingest/assembly/
/// ranks_of_file.h. The building block of loadRun.
[[nodiscard]] Result<std::vector<RankTrace>> loadRanks(const FileSource& file, const LoadOptions& options,
                                                       LoadObserver& observer, std::stop_token stop);

/// Reads a file of one rank. Fails where it holds several.
[[nodiscard]] Result<RankTrace> loadFile(const FileSource& file, const LoadOptions& options, LoadObserver& observer,
                                         std::stop_token stop);

/// The JSON text of one slice's event, word for word, read back from its file in under 150 ms. Fails where the file is
/// gone, has changed since, or cannot be entered in the middle (a single-frame .zst).
[[nodiscard]] Result<std::string> readEventText(const RankTrace& rank, SliceRef slice);
/// The same, where the file is looked for by `map` if there is none at its path. A compressed file that a digest stands
/// for is unpacked from its start, which takes as long as that.
[[nodiscard]] Result<std::string> readMappedEventText(const RankTrace& rank, SliceRef slice, const PathMap& map);

/// Reads a stream of JSON of one rank into its trace: what loadFile does once the file is open, and what a test does
/// with a text that stands in memory. `file` says what it is called; nothing of it is opened.
[[nodiscard]] Result<RankTrace> loadStream(ByteStream& stream, const FileSource& file, const LoadOptions& options,
                                           LoadObserver& observer, std::stop_token stop);

}  // namespace rankscope
