// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

// What helps to write a question: examples, and the words of the dialect.
namespace rankscope::query {

/// A question of docs/query.md.
struct Example {
    std::string title;  ///< "Gaps over 1 ms, with cause, operator and Python line"
    std::string sql;    ///< without a line break at its end
};

/// The examples of docs/query.md, in their order. The page declares them: this reads it.
[[nodiscard]] std::vector<Example> examples();

/// The words of the dialect, besides the names of tables and columns.
struct Vocabulary {
    std::vector<std::string> keywords;   ///< in capitals, sorted
    std::vector<std::string> functions;  ///< in lower case, sorted: those of SQLite and those that Rankscope adds
};

/// What SQLite itself says that it knows; without memory for it, some of its functions are missing. Cost: a
/// millisecond.
[[nodiscard]] Vocabulary vocabulary();

}  // namespace rankscope::query
