// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace rankscope::test {

/// The folder of real traces beside the checkout.
[[nodiscard]] std::filesystem::path realTraces();
/// All real trace files below `folder` of it, sorted; without what is malformed or no trace.
[[nodiscard]] std::vector<std::filesystem::path> realTraceFiles(const std::string& folder = "");

}  // namespace rankscope::test

/// Skips a test, saying why, where the real traces are not beside the checkout.
#define RANKSCOPE_NEEDS_REAL_TRACES()                                                            \
    if (!std::filesystem::exists(rankscope::test::realTraces())) {                               \
        GTEST_SKIP() << "skipped: no real traces at " << rankscope::test::realTraces().string(); \
    }
