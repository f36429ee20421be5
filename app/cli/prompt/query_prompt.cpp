// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/prompt/query_prompt.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/prompt/line_editor.h"
#include "app/cli/prompt/statements.h"
#include "core/base/suggestion.h"
#include "core/query/dialect.h"

namespace rankscope::cli {
namespace {

/// The commands that begin with a dot.
class Commands {
  public:
    explicit Commands(const query::Database& database) : database_(database) {}

    struct Command {
        std::string_view name;
        std::string_view about;
        bool (Commands::*act)(const std::string& argument);
    };
    static constexpr std::size_t kCount = 5;
    static const std::array<Command, kCount>& all() {
        static constexpr std::array<Command, kCount> kCommands = {{
            {".tables", ".tables [PART]    tables and functions, those with PART in their name", &Commands::listTables},
            {".schema", ".schema NAME      the columns of a table", &Commands::showColumns},
            {".examples", ".examples [N]     questions to begin with; the SQL of one", &Commands::showExamples},
            {".help", ".help             this text", &Commands::help},
            {".quit", ".quit             ends, as Ctrl+D does", &Commands::quit},
        }};
        return kCommands;
    }

    /// Does what a line says. False if it could not.
    bool act(const std::string& line) {
        const std::size_t blank = line.find_first_of(" \t");
        const std::string name = line.substr(0, blank);
        const std::size_t begin = line.find_first_not_of(" \t", std::min(blank, line.size()));
        std::string argument = begin == std::string::npos ? std::string() : line.substr(begin);
        argument.erase(argument.find_last_not_of(" \t;") + 1);
        const auto* const command = std::ranges::find(all(), name, &Command::name);
        if (command == all().end()) {
            std::vector<std::string> names;
            std::ranges::transform(all(), std::back_inserter(names),
                                   [](const Command& c) { return std::string(c.name); });
            std::cerr << "there is no command " << name << suggestion(name, names) << " .help lists them\n";
            return false;
        }
        const bool is_done = (this->*command->act)(argument);
        std::cout.flush();
        return is_done;
    }
    [[nodiscard]] bool hasQuit() const { return has_quit_; }

  private:
    bool listTables(const std::string& part) {
        const auto show = [&part](const std::string& name, const std::string& meaning) {
            if (name.find(part) != std::string::npos) {
                printMeaning(name, meaning);
            }
        };
        for (const tables::Table& table : database_.tables()) {
            show(table.name, table.meaning);
        }
        for (const query::FunctionWords& function : query::Database::functions()) {
            show(function.call, function.meaning);
        }
        return true;
    }
    bool showColumns(const std::string& name) {
        const auto table = std::ranges::find(database_.tables(), name, &tables::Table::name);
        if (table == database_.tables().end()) {
            std::vector<std::string> names;
            std::ranges::transform(database_.tables(), std::back_inserter(names), &tables::Table::name);
            std::cerr << "there is no table " << name << suggestion(name, names) << '\n';
            return false;
        }
        printColumns(*table);
        return true;
    }
    // NOLINTNEXTLINE(readability-convert-member-functions-to-static): one of the commands
    bool showExamples(const std::string& number) {
        const std::vector<query::Example> examples = query::examples();
        bool has_shown = false;
        for (std::size_t i = 0; i < examples.size(); ++i) {
            const std::string place = std::to_string(i + 1);
            if (!number.empty() && number != place) {
                continue;
            }
            has_shown = true;
            if (number.empty()) {
                std::cout << place << ". " << examples[i].title << '\n';
            } else {
                std::cout << "-- " << place << ". " << examples[i].title << '\n' << examples[i].sql << ";\n";
            }
        }
        if (!has_shown) {
            std::cerr << "there is no example " << number << "; they are 1 to " << examples.size() << '\n';
        }
        return has_shown;
    }
    // NOLINTNEXTLINE(readability-convert-member-functions-to-static): one of the commands
    bool help(const std::string& /*argument*/) {
        std::cout << "A question is a SELECT that ends with a semicolon. Ctrl+C cancels it.\n";
        for (const Command& command : all()) {
            std::cout << command.about << '\n';
        }
        return true;
    }
    bool quit(const std::string& /*argument*/) {
        has_quit_ = true;
        return true;
    }

    const query::Database& database_;
    bool has_quit_ = false;
};

/// All that can complete a word: tables, columns, functions, keywords and commands.
std::vector<std::string> wordsToComplete(const query::Database& database) {
    query::Vocabulary vocabulary = query::vocabulary();
    std::vector<std::string> words = std::move(vocabulary.keywords);
    words.insert(words.end(), vocabulary.functions.begin(), vocabulary.functions.end());
    for (const tables::Table& table : database.tables()) {
        words.push_back(table.name);
        std::ranges::transform(table.columns, std::back_inserter(words), &tables::Column::name);
    }
    for (const Commands::Command& command : Commands::all()) {
        words.emplace_back(command.name);
    }
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

bool isCommand(std::string_view line) {
    return line.starts_with('.');
}

void count(Conversation& conversation, bool answered) {
    ++conversation.statements;
    conversation.failed += answered ? 0 : 1;
}

}  // namespace

void printMeaning(std::string_view name, std::string_view meaning) {
    constexpr std::size_t kWidth = 32;
    std::cout << name << std::string(kWidth - std::min(kWidth - 1, name.size()), ' ') << meaning << '\n';
}

void printColumns(const tables::Table& table) {
    std::cout << table.name << ": " << table.meaning << '\n';
    for (const tables::Column& column : table.columns) {
        printMeaning("  " + column.name, column.meaning);
    }
}

Conversation askInTerminal(const query::Database& database, const AnswerStatement& answer) {
    const Interrupts interrupts;
    LineEditor editor(interrupts, wordsToComplete(database), historyPath());
    Commands commands(database);
    Statements statements;
    Conversation conversation;
    std::cout << "Questions end with a semicolon; .help lists commands.\n";
    while (!commands.hasQuit()) {
        const LineEditor::Typed typed = editor.read(statements.hasBegun() ? "   ...> " : "query> ");
        if (typed.end == LineEditor::End::Closed) {
            std::cout << '\n';
            break;
        }
        if (typed.end == LineEditor::End::Cancelled) {
            statements.clear();
            continue;
        }
        if (isCommand(typed.text) && !statements.hasBegun()) {
            editor.remember(typed.text);
            count(conversation, commands.act(typed.text));
            continue;
        }
        statements.add(typed.text);
        while (const std::optional<std::string> sql = statements.next()) {
            editor.remember(*sql + ";");
            interrupts.whileCancellable([&](const std::stop_token& stop) { count(conversation, answer(*sql, stop)); });
        }
    }
    return conversation;
}

Conversation askFromInput(const query::Database& database, const AnswerStatement& answer) {
    Commands commands(database);
    Statements statements;
    Conversation conversation;
    for (std::string line; !commands.hasQuit() && std::getline(std::cin, line);) {
        if (isCommand(line) && !statements.hasBegun()) {
            count(conversation, commands.act(line));
            continue;
        }
        statements.add(line);
        while (const std::optional<std::string> sql = statements.next()) {
            count(conversation, answer(*sql, {}));
        }
    }
    if (const std::optional<std::string> sql = statements.rest(); sql && !commands.hasQuit()) {
        count(conversation, answer(*sql, {}));
    }
    return conversation;
}

}  // namespace rankscope::cli
