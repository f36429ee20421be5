// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace rankscope::test {

/// What a program did.
struct ProcessResult {
    int code = -1;  ///< exit code; 127 where the program was not found; -1 where it was killed
    std::string out;
    std::string err;
};

/// Runs `arguments[0]`, found on the PATH, and waits for it. Standard input is empty.
[[nodiscard]] ProcessResult runProcess(const std::vector<std::string>& arguments);

}  // namespace rankscope::test
