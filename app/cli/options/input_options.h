// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

struct Request;

/// The texts of the options that say what is read, unchecked.
struct InputTexts {
    std::vector<std::vector<std::string>> runs;
    std::string ranks;
    std::string steps;
    std::string memory;
    std::vector<std::string> map;
    std::vector<std::string> roles;
    std::string iterations;
};

/// Adds the paths, and the options that say what of them is read. They go into `texts` and into the request.
void addInput(CLI::App& command, Request& request, InputTexts& texts);
/// Adds --memory-snapshot.
void addSnapshots(CLI::App& command, Request& request);

/// Checks the texts, and reads the file of --name-rules and the user's map of paths. Throws CLI::ValidationError for
/// wrong options.
void readInput(const InputTexts& texts, Request& request);
/// Throws CLI::ValidationError if nothing was named that could be read.
void needPath(const Request& request);

}  // namespace rankscope::cli
