// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rankscope::test {

/// Makes the digests of the traces at a path in a folder; a failure fails the test. Their paths.
[[nodiscard]] std::vector<std::string> makeDigests(const std::filesystem::path& traces,
                                                   const std::filesystem::path& folder);

}  // namespace rankscope::test
