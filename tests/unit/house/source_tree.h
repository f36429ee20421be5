// SPDX-License-Identifier: GPL-3.0-or-later
// The project's own files, as the tests of the house read them.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/unit/house/rules.h"

namespace rankscope::test {

/// All text files of ours below `root`, in the order of their paths: code, build files, scripts, resources. Left out:
/// build outputs, hidden folders but .ci, data of tests and samples.
std::vector<SourceFile> readSourceTree(const std::filesystem::path& root);

}  // namespace rankscope::test
