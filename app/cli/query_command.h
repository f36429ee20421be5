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

/// The texts of the options of `query`, unchecked.
struct QueryTexts {
    std::string format = "table";
    std::string file;  ///< a file with the question; "-": standard input, empty: none
    bool list_tables = false;
    double seconds = 0;  ///< 0: no limit
};

/// Adds the options of `query`, in addition to those that name what to read.
void addQuery(CLI::App& command, QueryTexts& texts);

/// Takes the question from the file, or from the last of the paths if there is no such file. Without one, questions
/// come from standard input. Throws CLI::ValidationError if there is nothing to read.
[[nodiscard]] QueryRequest readQueryRequest(const QueryTexts& texts, Request request);

/// Prints the answer to the question, or to those that are typed, on standard output. Returns the exit code.
[[nodiscard]] int runQuery(QueryRequest request);

}  // namespace rankscope::cli
