// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/ingest/load.h"

namespace rankscope {

/// Puts folders in front of the names of runs that have the same name in different places, as few as distinguish them:
/// "exp1/traces" and "exp2/traces". Runs that the user named keep their names, and so do those that are `open`, and a
/// run that is there twice.
void tellNamesApart(const std::vector<RunSource*>& runs, const std::vector<RunSource>& open = {});

/// The name of the folder or archive around all files of a run that are in several folders, without the endings of
/// archives. If `taken` is that name, the common name of all their folders: "iteration_10" for "rank0/iteration_10" and
/// "rank1/iteration_10". Empty if there is none.
[[nodiscard]] std::string nameAroundFolders(const std::vector<FileSource>& files, const std::string& taken = {});

/// A trace of one of several runs of a source, or all traces of a file that was read.
struct FileOfRun {
    std::size_t file = 0;  ///< index in RunSource::files
    FileSource named;      ///< gives the name of a run of this trace alone
    FileSource trace;      ///< where the trace was; another file if a digest replaces it
};
/// The names of several runs of `source`. A single file, and a file whose traces are all of one run, has its own name.
/// A run with traces in one folder has that folder's name; with traces in several, the name from nameAroundFolders().
/// Others have the source's name, with a number from the second on. Equal names get the folders around them that
/// distinguish them, else their number.
[[nodiscard]] std::vector<std::string> namesOfRuns(const RunSource& source,
                                                   const std::vector<std::vector<FileOfRun>>& runs);

}  // namespace rankscope
