// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/query_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <utility>

#include "app/cli/answer_printer.h"
#include "app/cli/complain.h"
#include "app/cli/number_options.h"
#include "app/cli/read_runs.h"
#include "app/exit_code.h"
#include "core/query/database.h"

namespace rankscope::cli {
namespace {

constexpr const char* kExample = "SELECT name, count(*), sum(dur_ns) FROM slice GROUP BY name ORDER BY 3 DESC LIMIT 10";

[[noreturn]] void refuse(const std::string& option, const std::string& why) {
    throw CLI::ValidationError(option, why);
}

std::string textOfFile(const std::string& path) {
    std::ostringstream text;
    if (path == "-") {
        text << std::cin.rdbuf();
        return text.str();
    }
    const std::ifstream file(path);
    if (!file || std::filesystem::is_directory(path) || !(text << file.rdbuf())) {
        refuse("-f", path + ": cannot be read");
    }
    return text.str();
}

/// Prints each table with its columns.
void listTables(const std::vector<tables::Table>& all) {
    for (const tables::Table& table : all) {
        std::cout << table.name << ": " << table.meaning << '\n';
        for (const tables::Column& column : table.columns) {
            constexpr std::size_t kWidth = 28;
            const std::string blanks(kWidth - std::min(kWidth - 1, column.name.size()), ' ');
            std::cout << "  " << column.name << blanks << column.meaning << '\n';
        }
    }
}

QueryFormat formatOf(const std::string& name) {
    return name == "csv"      ? QueryFormat::Csv
           : name == "json"   ? QueryFormat::Json
           : name == "ndjson" ? QueryFormat::JsonLines
                              : QueryFormat::Table;
}

}  // namespace

void addQuery(CLI::App& command, QueryTexts& texts) {
    command.add_option("--format", texts.format, "How to print the rows: table, csv, json or ndjson")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"table", "csv", "json", "ndjson"}));
    command.add_option("-f,--file", texts.file, "Read the question from this file")->type_name("F");
    command.add_flag("--tables", texts.list_tables, "List the tables and their columns");
    command.add_option("--seconds", texts.seconds, "Give up after this time")->type_name("S")->check(zeroOrMore());
}

QueryRequest readQueryRequest(const QueryTexts& texts, Request request) {
    QueryRequest query;
    query.format = formatOf(texts.format);
    query.list_tables = texts.list_tables;
    query.seconds = texts.seconds;
    if (!texts.file.empty()) {
        query.sql = textOfFile(texts.file);
    } else if (!texts.list_tables) {
        std::error_code error;
        if (request.paths.empty() || std::filesystem::exists(request.paths.back(), error)) {
            refuse("SQL", std::string("ask something behind the paths, like \"") + kExample + "\"");
        }
        query.sql = std::move(request.paths.back());
        request.paths.pop_back();
    }
    if (!texts.list_tables && request.paths.empty() && request.named_runs.empty()) {
        refuse("PATH", "name a trace file, a folder or an archive before the question");
    }
    query.runs = std::move(request);
    return query;
}

int runQuery(QueryRequest request) {
    if (request.list_tables) {
        const query::Database none({});
        listTables(none.tables());
        return kDone;
    }
    if (!fetchRemotePaths(request.runs)) {
        return kNothingReadable;
    }
    const ReadRuns read = readRuns(request.runs, discover(request.runs));
    if (read.runs.empty()) {
        return kNothingReadable;
    }
    tables::Runs runs;
    std::ranges::transform(read.runs, std::back_inserter(runs), [](const AnalysedRun& run) { return &run; });
    query::Database database(std::move(runs));
    query::Limits limits;
    if (request.seconds > 0) {
        limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(request.seconds * 1'000));
    }
    limits.memory_bytes = request.runs.load.memory_bytes.value_or(0);
    const auto printer = makeAnswerPrinter(request.format, std::cout);
    const Result<std::uint64_t> rows = database.ask(request.sql, *printer, limits);
    if (!rows.ok()) {
        complain(rows.failed() ? rows.error() : Error{"query", {}, "was cancelled"});
        return kWrongUsage;
    }
    printer->finish();
    std::cout.flush();
    return read.complete() ? kDone : kSomeUnreadable;
}

}  // namespace rankscope::cli
