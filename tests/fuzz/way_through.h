// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/trace/run.h"
#include "tests/fuzz/targets.h"

namespace rankscope::fuzz {

/// Ends the process, saying what should have held, where it does not.
void demand(bool holds, std::string_view what);

[[nodiscard]] std::string_view textOf(Input input);

/// A folder of this process that its inputs are written to, in memory where the system has such a place.
[[nodiscard]] const std::filesystem::path& workFolder();
/// Writes bytes into a file of the work folder, in place of what it held; returns its path.
[[nodiscard]] std::string writeWorkFile(const std::string& name, std::string_view bytes);

/// Analyses a run; nothing where that is refused. With `threads` workers.
[[nodiscard]] std::unique_ptr<AnalysedRun> analysed(std::shared_ptr<const Run> run, const AnalysisOptions& options);

/// A simulated run of one rank and two steps, analysed.
[[nodiscard]] std::unique_ptr<AnalysedRun> smallRun();

/// The JSON report of a run. Demands that it is valid JSON and that the parts of each step add up to it.
[[nodiscard]] std::string checkedReport(const AnalysedRun& run);

}  // namespace rankscope::fuzz
