// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// The ranks that stand in one file: one, several of a merged one, or none where it could not be read.
using RanksInFile = std::vector<std::shared_ptr<RankTrace>>;

/// A file, and where it was found.
struct FoundFile {
    RanksInFile ranks;
    std::string found_in;   ///< the folder that was opened or whose files were typed; of merged files what holds them
    std::string folder;     ///< that its trace lay in
    std::size_t typed = 0;  ///< its place among what the user named; 0 where that names no files
};

/// Files that are of one run.
struct FilesOfRun {
    std::vector<std::size_t> files;  ///< ascending places in what was asked for
    std::string what;                ///< the trace that is no part of a run before it, as nameOf() calls it
    std::string why;                 ///< why it is none; empty where nothing was before it
};

/// Tells which files are of one run. They are only where something says so: numbers of ranks (in the file, else in its
/// name) that go together, or, of files without any, ProfilerStep numbers that they share in windows that overlap.
/// Different world sizes, and one rank twice at a time, in two processes or with the same steps, say that they are not.
/// Files of one folder, and then those that were found in one place, go together before others do: what nothing tells
/// apart there stays together, whichever other run a part of it would fit to.
/// Runs stand in the order of the first of their files that was typed; where none was, the one with most ranks comes
/// first. Files of no rank are left out.
/// Each file is held against the runs that there are: linear in files where they are of one.
[[nodiscard]] std::vector<FilesOfRun> tellRunsApart(const std::vector<FoundFile>& files, bool are_typed);

/// Why `later` is no further window of the rank that `earlier` is of, which began no later: "at the same time", "but of
/// another process", "but with the same steps again"; empty where it is one.
[[nodiscard]] std::string whyNoFurtherWindow(const RankTrace& earlier, const RankTrace& later);

/// What errors call the file that a trace begins with: its path, and its name in an archive.
[[nodiscard]] std::string nameOf(const RankTrace& trace);

}  // namespace rankscope
