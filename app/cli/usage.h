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

/// The end of each command's help: paths, lists and exit codes.
[[nodiscard]] std::string usageFooter();

/// What a user can start with; shown without arguments.
[[nodiscard]] std::string startText(const CLI::App& app);

/// The arguments after the program's name, last one first as CLI11 wants them; there must be at least one. If the first
/// is a path or an option of `analyze`, that command is added. Throws CLI::ValidationError for a likely typo of a
/// command that is not a path.
[[nodiscard]] std::vector<std::string> argumentsOf(const CLI::App& app, std::vector<std::string> arguments);

/// CLI11's error for unknown options, with the option that was most likely meant.
[[nodiscard]] std::string complaintOf(const CLI::App& app, const CLI::ParseError& error, std::string complaint,
                                      const std::vector<std::string>& arguments);

}  // namespace rankscope::cli
