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

/// Files that are of one run.
struct FilesOfRun {
    std::vector<std::size_t> files;  ///< ascending places in what was asked for
    std::string why;                 ///< why they are no part of the run before them; empty for the first
};

/// Tells which files are of one run. They are only where something says so: numbers of ranks (in the file, else in its
/// name) that go together, or, of files without any, ProfilerStep numbers that they share in windows that overlap.
/// Different world sizes, and one rank twice at a time, in two processes or with the same steps, say that they are not.
/// The run with most ranks comes first, else they stand in the order of their files; files of no rank are left out.
/// Each file is held against the runs that there are: linear in files where they are of one.
[[nodiscard]] std::vector<FilesOfRun> tellRunsApart(const std::vector<RanksInFile>& files);

/// Why `later` is no further window of the rank that `earlier` is of, which began no later: "at the same time", "but of
/// another process", "but with the same steps again"; empty where it is one.
[[nodiscard]] std::string whyNoFurtherWindow(const RankTrace& earlier, const RankTrace& later);

/// What errors call the file that a trace begins with: its path, and its name in an archive.
[[nodiscard]] std::string nameOf(const RankTrace& trace);

}  // namespace rankscope
