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
    std::vector<std::string> arguments;  ///< the first is the program, which is looked for on PATH
    std::string input_file;              ///< what it reads; empty: nothing
    std::string output_file;             ///< what it prints is added to this file; empty: kept in ChildResult::out
    /// Called with each line of its standard error while it runs; without the newline. May be empty.
    std::function<void(std::string_view)> on_error_line;
    std::stop_token stop{};           ///< ends the program by SIGTERM
    std::function<void()> on_tick{};  ///< called some ten times a second while it runs; may be empty
};

struct ChildResult {
    int code = 0;     ///< its exit code; 128 and the signal that ended it; 127 where it cannot be started
    std::string out;  ///< at most kMostOutput bytes
    std::string err;  ///< the last kMostOutput bytes at most

    static constexpr std::size_t kMostOutput = 1 << 20;
};

/// Runs a program to its end.
[[nodiscard]] ChildResult runChild(const ChildRequest& request);

/// `text` as one word of a POSIX shell, whatever is in it.
[[nodiscard]] std::string shellWord(std::string_view text);

}  // namespace rankscope
