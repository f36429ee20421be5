// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/ingest/load.h"

namespace rankscope {

/// Puts folders in front of the names of runs that are called the same and are in different places, as few as tell them
/// apart: "exp1/traces" and "exp2/traces". Runs that the user named keep their names, and so do those that are `open`;
/// a run that is there twice keeps its name too.
void tellNamesApart(const std::vector<RunSource*>& runs, const std::vector<RunSource>& open = {});

/// The name of the folder or archive around all files of a run that are in several folders, without the endings of
/// archives; where `taken` is that name, what all their folders are called: "iteration_10" of "rank0/iteration_10" and
/// "rank1/iteration_10". Empty where there is none.
[[nodiscard]] std::string nameAroundFolders(const std::vector<FileSource>& files, const std::string& taken = {});

/// A trace of one of several runs of a source, or all traces of a file that was read.
struct FileOfRun {
    std::size_t file = 0;  ///< in RunSource::files
    FileSource named;      ///< what a run of it alone is called by
    FileSource trace;      ///< where the trace was; another file if a digest replaces it
};
/// The names of several runs of `source`: a file alone, and a file whose traces are all of one run, has its own name;
/// one whose traces were in one folder that folder's; one in several that around them, as nameAroundFolders() says;
/// others the source's, with a number from the second on. Equal
/// names get the folders around them that distinguish them, else their number.
[[nodiscard]] std::vector<std::string> namesOfRuns(const RunSource& source,
                                                   const std::vector<std::vector<FileOfRun>>& runs);

}  // namespace rankscope
