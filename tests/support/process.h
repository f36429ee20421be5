// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace rankscope::test {

/// The exit code where there is no such program, as a shell gives it.
inline constexpr int kNoProgram = 127;

/// What a program did.
struct ProcessResult {
    int code = -1;  ///< exit code; kNoProgram where it was not found; -1 where it was killed
    std::string out;
    std::string err;
};

/// Runs `arguments[0]`, found on the PATH, and waits for it. Standard input is empty.
[[nodiscard]] ProcessResult runProcess(const std::vector<std::string>& arguments);

}  // namespace rankscope::test
