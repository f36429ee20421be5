// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/diagnosis/frame/analysed_run.h"
#include "tests/tracegen/machine/trace_files.h"
#include "tests/tracegen/simulate.h"

namespace rankscope::accuracy {

/// The run as the loader gives it: each rank's file is written to memory and read from there, so that what a dialect
/// leaves out or rounds is left out and rounded here too. Throws std::runtime_error where a text cannot be read.
[[nodiscard]] std::shared_ptr<const Run> loadSimulated(const tracegen::RunResult& simulated);
/// The same of files that stand in memory. One file alone goes by way of a folder on disk, as it would be opened, since
/// it may hold several ranks.
[[nodiscard]] std::shared_ptr<const Run> loadFiles(const std::vector<tracegen::machine::TraceFile>& files);

/// Analyses a run on one thread: runs are shared among the cores. Throws std::runtime_error where that fails.
[[nodiscard]] AnalysedRun analyseAlone(std::shared_ptr<const Run> run, AnalysisOptions options = {});
/// The same of the files that a machine writes, with all that they tell.
[[nodiscard]] AnalysedRun analyseSimulated(const tracegen::machine::TrueRun& run, AnalysisOptions options = {});

}  // namespace rankscope::accuracy
