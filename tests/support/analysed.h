// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::test {

/// Loads the run at `path`, a file or a folder, and analyses it. Fails the test where that cannot be done.
[[nodiscard]] AnalysedRun loadAndAnalyse(const std::filesystem::path& path);
/// The same of each run that stands at `path`, of those that can be loaded.
[[nodiscard]] std::vector<AnalysedRun> loadAndAnalyseAll(const std::filesystem::path& path);
/// Analyses a run that stands in memory.
[[nodiscard]] AnalysedRun analyse(std::shared_ptr<const Run> run);
/// The finding with this id, or nullptr; of several the most expensive one.
[[nodiscard]] const Finding* findingOf(const AnalysedRun& run, const std::string& id);
/// The same finding. Throws where there is none, which fails the test.
[[nodiscard]] const Finding& findingIn(const AnalysedRun& run, const std::string& id);

}  // namespace rankscope::test
