// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/trace/run.h"

namespace rankscope {

// Notes about a run because of its files, for Run::notes.

/// How far apart the windows of its ranks start, and whether some do not overlap.
void noteWindows(Run& run);
/// Notes that ranks were recorded in several windows, and how far apart those are. Nothing if none was.
void noteHoles(Run& run);
/// The ranks of the job without a file: Run::missing_ranks, and a note if not all of them are listed.
void noteMissing(Run& run);
/// Which files next to the traces are not traces, and what they are: one note each for the first five, and one for the
/// number of all others.
void noteNoTraces(const std::vector<Error>& no_traces, Run& run);
/// The names of the folders of its files, and why they are read together (RunSource::together). Nothing if `why` is
/// empty, or if they are in one folder.
void noteFolders(const std::string& why, const std::set<std::string>& folders, Run& run);

}  // namespace rankscope
