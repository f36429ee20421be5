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
    std::string found_in;   ///< the folder that was opened or whose files the user named; for merged files the file
                            ///< that contains them
    std::string folder;     ///< where its trace was
    std::size_t typed = 0;  ///< its position among the paths that the user named; 0 if that names no files
};

/// The files of one run.
struct FilesOfRun {
    std::vector<std::size_t> files;  ///< ascending indices into the argument
    std::string what;                ///< the first trace that does not belong to an earlier run, by its nameOf()
    std::string why;                 ///< why it does not; empty for the first run
};

/// Finds which files are of one run. They are only if something shows it: numbers of ranks (in the file, else in its
/// name) that fit together, or, for files without any, common ProfilerStep numbers in windows that overlap, or proof
/// that they are windows of one process (provenSameProcess()). They are not with different world sizes, or if one rank
/// is there twice at a time, in two processes or with the same steps. Files of one folder, and then those that were
/// found in one place, are joined first; joined files stay together, even if a part would fit another run. Files of
/// several folders that the user did not name have to complete one another, nearer folders first: with no rank in both,
/// the same members in each group, and windows that overlap, or the same steps on hosts whose clocks may differ. Runs
/// are in the order of the first of their files that the user named; without such files, the one with most ranks comes
/// first. Files without ranks are left out. Each file is compared with the existing runs: linear in files if all are of
/// one run.
[[nodiscard]] std::vector<FilesOfRun> tellRunsApart(const std::vector<FoundFile>& files, bool are_typed);

/// The name in errors of the file that a trace begins with: its path, and its name in an archive.
[[nodiscard]] std::string nameOf(const RankTrace& trace);

}  // namespace rankscope
