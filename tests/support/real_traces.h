// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace rankscope::test {

/// The folder of real traces: RANKSCOPE_TRACES of the environment, else the one beside the checkout.
[[nodiscard]] std::filesystem::path realTraces();
/// All real trace files below `folder` of it, sorted; without what is malformed or no trace.
[[nodiscard]] std::vector<std::filesystem::path> realTraceFiles(const std::string& folder = "");
/// A real run of each kind that there is, as files and folders.
[[nodiscard]] std::vector<std::filesystem::path> realRuns();

/// The runs of the corpus (tests/corpus), a folder each, written while building: never empty.
[[nodiscard]] std::vector<std::filesystem::path> corpusRuns();
/// The run of that name there; without a name the folder of all of them.
[[nodiscard]] std::filesystem::path corpusRun(const std::string& name);
/// Every trace file that a property must hold for: those of the corpus, and the real ones where they are.
[[nodiscard]] std::vector<std::filesystem::path> allTraceFiles();

}  // namespace rankscope::test

/// Skips a test, saying why, where the real traces are not beside the checkout.
#define RANKSCOPE_NEEDS_REAL_TRACES()                                                            \
    if (!std::filesystem::exists(rankscope::test::realTraces())) {                               \
        GTEST_SKIP() << "skipped: no real traces at " << rankscope::test::realTraces().string(); \
    }
