// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/suggestion.h"
#include "core/query/sqlite_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace rankscope::query {
namespace {

constexpr std::string_view kNoColumn = "no such column: ";
constexpr std::string_view kNoTable = "no such table: ";
constexpr std::string_view kNoFunction = "no such function: ";

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

/// The names in a question: letters, digits and underscores, in lower case.
std::vector<std::string> wordsOf(std::string_view sql) {
    std::vector<std::string> words(1);
    for (const char c : lower(sql)) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            words.back() += c;
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    return words;
}

/// The columns of the tables that a question names; of all tables if it names none.
std::vector<std::string> columnsMeant(std::string_view sql, const std::vector<tables::Table>& all) {
    const std::vector<std::string> words = wordsOf(sql);
    std::vector<std::string> meant;
    std::vector<std::string> any;
    for (const tables::Table& table : all) {
        const bool named = std::ranges::find(words, table.name) != words.end();
        for (const tables::Column& column : table.columns) {
            (named ? meant : any).push_back(column.name);
        }
    }
    return meant.empty() ? any : meant;
}

/// The candidate that begins with the word, as "dur_ns" does with "dur"; else the nearest one; else one that contains
/// it.
std::string likely(std::string_view word, const std::vector<std::string>& candidates) {
    const auto begins =
        std::ranges::find_if(candidates, [&](const std::string& name) { return name.starts_with(word); });
    if (begins != candidates.end() && !word.empty()) {
        return *begins;
    }
    if (std::string near = nearest(word, candidates); !near.empty()) {
        return near;
    }
    // "duration" means dur_ns, whose name without the unit it begins with.
    const auto has = std::ranges::find_if(candidates, [&](const std::string& name) {
        const std::string_view stem = std::string_view(name).substr(0, name.rfind('_'));
        return name.find(word) != std::string::npos || (stem.size() > 2 && word.starts_with(stem));
    });
    return has != candidates.end() && !word.empty() ? *has : std::string();
}

std::string about(std::string_view what, std::string_view named, const std::vector<std::string>& candidates) {
    const std::size_t dot = named.rfind('.');
    const std::string word = lower(dot == std::string_view::npos ? named : named.substr(dot + 1));
    const std::string meant = likely(word, candidates);
    return fmt::format("there is no {} {}{}", what, named, meant.empty() ? "" : "; did you mean " + meant + "?");
}

std::vector<std::string> namesOfFunctions() {
    std::vector<std::string> names;
    std::ranges::transform(Database::functions(), std::back_inserter(names), &FunctionWords::name);
    return names;
}

}  // namespace

std::string complaintOf(std::string_view said, std::string_view sql, const std::vector<tables::Table>& tables) {
    if (said.starts_with(kNoColumn)) {
        return about("column", said.substr(kNoColumn.size()), columnsMeant(sql, tables));
    }
    if (said.starts_with(kNoTable)) {
        std::vector<std::string> names = namesOfFunctions();
        std::ranges::transform(tables, std::inserter(names, names.begin()), &tables::Table::name);
        return about("table", said.substr(kNoTable.size()), names);
    }
    if (said.starts_with(kNoFunction)) {
        return about("function", said.substr(kNoFunction.size()), namesOfFunctions());
    }
    if (said.starts_with("not authorized") || said.starts_with("access to") ||
        said.find("prohibited") != std::string_view::npos) {
        return "a question may only SELECT from the tables of the runs";
    }
    return std::string(said);
}

}  // namespace rankscope::query
