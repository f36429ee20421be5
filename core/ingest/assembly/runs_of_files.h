// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// The ranks in one file: one, several of a merged one, or none if it could not be read.
using RanksInFile = std::vector<std::shared_ptr<RankTrace>>;

/// A file, and where it was found.
struct FoundFile {
    RanksInFile ranks;
    std::string found_in;   ///< the folder that was opened or whose files were typed; of merged files the file that
                            ///< contains them
    std::string folder;     ///< where its trace was
    std::size_t typed = 0;  ///< its place among what the user named; 0 if that names no files
};

/// Files that are of one run.
struct FilesOfRun {
    std::vector<std::size_t> files;  ///< ascending places in what was asked for
    std::string what;                ///< the trace that is no part of a run before it, as nameOf() calls it
    std::string why;                 ///< why it is none; empty if nothing was before it
};

/// Finds which files are of one run. They are only if something says so: numbers of ranks (in the file, else in its
/// name) that fit together, or, of files without any, ProfilerStep numbers that they share in windows that overlap.
/// They are not with different world sizes, or with one rank twice at a time, in two processes or with the same steps.
/// Files of one folder, and then those that were found in one place, are joined before others are: what is joined there
/// stays together, even if a part of it would fit another run. Files of several folders that nobody typed have to
/// complete one another, nearer folders first: with no rank in both, one membership of each group, and windows that
/// overlap, or the same steps on hosts whose clocks may differ. Runs are in the order of the first of their files that
/// was typed; without typed files, the one with most ranks comes first. Files of no rank are left out. Each file is
/// compared with the existing runs: linear in files if they are of one.
[[nodiscard]] std::vector<FilesOfRun> tellRunsApart(const std::vector<FoundFile>& files, bool are_typed);

/// Why `later` is no further window of the rank that `earlier` is of, which began no later: "at the same time", "but of
/// another process", "but with the same steps again"; empty if it is one.
[[nodiscard]] std::string whyNoFurtherWindow(const RankTrace& earlier, const RankTrace& later);

/// What errors call the file that a trace begins with: its path, and its name in an archive.
[[nodiscard]] std::string nameOf(const RankTrace& trace);

}  // namespace rankscope
