// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/memory_snapshot.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/places.h"
#include "tests/support/process.h"

namespace rankscope::test {

std::string writeSnapshot(const TempFolder& folder, const std::string& name, const std::vector<std::string>& options) {
    const std::filesystem::path path = folder.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::vector<std::string> command = {"python3", (sourceFolder() / "tests/data/memory_snapshot.py").string(),
                                        path.string()};
    command.insert(command.end(), options.begin(), options.end());
    const ProcessResult result = runProcess(command);
    EXPECT_EQ(result.code, 0) << result.err;
    return path.string();
}

}  // namespace rankscope::test
