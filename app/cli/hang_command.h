// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/options/screen_options.h"
#include "core/request/run_request.h"

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

struct Request;  // app/cli/command_line.h

/// The dumps of a job that hangs, and what to write about them.
struct HangRequest {
    std::vector<std::string> paths;
    RunRequest traces;  ///< of the job; none if nothing is named
    std::string json;   ///< file to write, "-" for standard output, empty for none
    PrintedTexts texts;
    Printed printed;
};

/// Adds the command `hang` to the program; its options go into `request`.
[[nodiscard]] CLI::App* addHang(CLI::App& app, HangRequest& request);

/// Prints which ranks stop the others. The exit code.
[[nodiscard]] int runHang(HangRequest request);

/// Answers a request that has dumps and no traces: `info` prints what each file is, the others as `hang` does. The exit
/// code; with --fail-on, a job that hangs fails.
[[nodiscard]] int runDumps(const Request& request, const std::vector<std::string>& dumps);

}  // namespace rankscope::cli
