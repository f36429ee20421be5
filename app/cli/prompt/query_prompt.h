// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/query/database.h"

namespace rankscope::cli {

/// Prints a name, and what it means in a second column.
void printMeaning(std::string_view name, std::string_view meaning);
/// Prints a table's name and meaning, and each of its columns.
void printColumns(const tables::Table& table);

/// Answers one statement on standard output, or says on standard error why not. False if it was not answered.
using AnswerStatement = std::function<bool(const std::string& sql, std::stop_token stop)>;

/// How a conversation went.
struct Conversation {
    std::size_t statements = 0;  ///< and commands
    std::size_t failed = 0;
};

/// Answers what is typed in a terminal, until it is closed or says .quit: statements that end with a semicolon, and
/// commands that begin with a dot. Ctrl+C cancels a statement.
Conversation askInTerminal(const query::Database& database, const AnswerStatement& answer);

/// The same of standard input that is no terminal: without a prompt, to its end, which ends a statement too.
Conversation askFromInput(const query::Database& database, const AnswerStatement& answer);

}  // namespace rankscope::cli
