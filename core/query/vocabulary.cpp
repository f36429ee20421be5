// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/dialect.h"

#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <memory>
#include <string_view>

#include "core/query/database.h"

namespace rankscope::query {
namespace {

struct CloseSqlite {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct EndStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// SQLite's own functions. Extensions that it was built with are no use here: only its own are `builtin`.
std::vector<std::string> functionsOf(sqlite3* database) {
    constexpr const char* kOwn = "SELECT DISTINCT name FROM pragma_function_list WHERE builtin";
    std::vector<std::string> names;
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v2(database, kOwn, -1, &prepared, nullptr);
    const std::unique_ptr<sqlite3_stmt, EndStatement> statement(prepared);
    while (code == SQLITE_OK && sqlite3_step(prepared) == SQLITE_ROW) {
        if (const auto* const name = reinterpret_cast<const char*>(sqlite3_column_text(prepared, 0))) {
            names.emplace_back(name);
        }
    }
    return names;
}

/// Whether a name is a word, and none for SQLite's own use.
bool isWord(std::string_view name) {
    const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return std::ranges::all_of(name, is_letter) && !name.starts_with("sqlite_") && name != "load_extension";
}

}  // namespace

Vocabulary vocabulary() {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
    const std::unique_ptr<sqlite3, CloseSqlite> database(opened);
    Vocabulary words;
    if (code == SQLITE_OK) {
        words.functions = functionsOf(opened);
    }
    std::ranges::transform(Database::functions(), std::back_inserter(words.functions), &FunctionWords::name);
    std::erase_if(words.functions, [](const std::string& name) { return !isWord(name); });
    for (int i = 0; i < sqlite3_keyword_count(); ++i) {
        const char* name = nullptr;
        int bytes = 0;
        if (sqlite3_keyword_name(i, &name, &bytes) == SQLITE_OK) {
            words.keywords.emplace_back(name, static_cast<std::size_t>(bytes));
        }
    }
    std::ranges::sort(words.keywords);
    std::ranges::sort(words.functions);
    return words;
}

}  // namespace rankscope::query
