// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace rankscope {

/// A program to run, and where its three streams go.
struct ChildRequest {
    std::vector<std::string> arguments;  ///< the first is the program, searched on PATH
    std::string input_file;              ///< its standard input; empty: nothing
    std::string output_file;             ///< its standard output is appended to this file; empty: kept in
                                         ///< ChildResult::out
    /// Called with each line of its standard error while it runs; without the newline. May be empty.
    std::function<void(std::string_view)> on_error_line;
    std::stop_token stop{};           ///< ends the program with SIGTERM
    std::function<void()> on_tick{};  ///< called about ten times per second while it runs; may be empty
};

struct ChildResult {
    int code = 0;     ///< its exit code; 128 plus the signal that ended it; 127 if it cannot be started
    std::string out;  ///< up to kMostOutput bytes
    std::string err;  ///< the last bytes, up to kMostOutput

    static constexpr std::size_t kMostOutput = 1 << 20;
};

/// Runs a program and waits for its end.
[[nodiscard]] ChildResult runChild(const ChildRequest& request);

/// `text` as one word of a POSIX shell, for any content.
[[nodiscard]] std::string shellWord(std::string_view text);

}  // namespace rankscope
