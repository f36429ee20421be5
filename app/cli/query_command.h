// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/command_line.h"

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

/// The options of `query` before they are checked.
struct QueryTexts {
    std::string format = "table";
    std::string file;  ///< with the question; "-" for standard input, empty for none
    bool list_tables = false;
    double seconds = 0;  ///< 0: no limit
};

/// Adds the options that `query` has beside those that name what to read.
void addQuery(CLI::App& command, QueryTexts& texts);

/// Takes the question from the file, or from the last of the paths; without one there is nothing to read but tables to
/// list. Throws CLI::ValidationError where there is none.
[[nodiscard]] QueryRequest readQueryRequest(const QueryTexts& texts, Request request);

/// Answers the question on standard output. The exit code.
[[nodiscard]] int runQuery(QueryRequest request);

}  // namespace rankscope::cli
