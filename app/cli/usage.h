// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace rankscope::cli {

/// What the help of each command ends with: paths, lists and exit codes.
[[nodiscard]] std::string usageFooter();

/// What there is to start with, for a user who types no argument.
[[nodiscard]] std::string startText(const CLI::App& app);

/// The arguments behind the program's name, the last one first as CLI11 wants them; at least one. Where they begin with
/// a path or an option of `analyze`, that is the command. What is nearly a command and no path is taken for a slip:
/// throws CLI::ValidationError.
[[nodiscard]] std::vector<std::string> argumentsOf(const CLI::App& app, std::vector<std::string> arguments);

/// What CLI11 says of options that a command does not have, with the one that was most likely meant.
[[nodiscard]] std::string complaintOf(const CLI::App& app, const CLI::ParseError& error, std::string complaint,
                                      const std::vector<std::string>& arguments);

}  // namespace rankscope::cli
