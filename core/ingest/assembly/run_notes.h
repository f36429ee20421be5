// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/trace/run.h"

namespace rankscope {

// What is said of a run for what its files are, in Run::notes.

/// How far apart the windows of its ranks start, and whether some do not overlap.
void noteWindows(Run& run);
/// That ranks were recorded in several windows, and how far apart those are. Nothing where none was.
void noteHoles(Run& run);
/// The ranks of the job that no file is of: Run::missing_ranks, and a note where not all of them are listed.
void noteMissing(Run& run);
/// Which files among the traces are none, and what they are: one note each for the first five, and one for the number
/// of all others.
void noteNoTraces(const std::vector<Error>& no_traces, Run& run);
/// In which folders its files are, by their names, and why those are read together (RunSource::together). Nothing where
/// `why` is empty, or they are in one folder.
void noteFolders(const std::string& why, const std::set<std::string>& folders, Run& run);

}  // namespace rankscope
